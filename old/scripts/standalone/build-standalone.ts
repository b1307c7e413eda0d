import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

export const BUN_VERSION = '1.4.4';

const folder = path.resolve(import.meta.dirname, '../../binary');
const architectures: Record<string, string> = { x64: 'x64', arm64: 'aarch64' };

export const hostPlatform = `${process.platform}-${process.arch}`;

/**
 * Builds the standalone program for a platform such as linux-arm64, and beside it the licenses of what is in it.
 * Bun of this machine bundles, and that of the platform is what the program runs on.
 */
export function buildStandalone(outfile: string, platform = hostPlatform): void {
  const bun = installBun(hostPlatform);
  const words = [path.join(folder, 'build.ts'), path.resolve(outfile), platform];
  mkdirSync(path.dirname(outfile), { recursive: true });
  execFileSync(bun, [...words, installBun(platform)], { stdio: 'inherit' });
}

/**
 * Returns the path of bun itself. It comes from the npm package that holds its binary for a platform, into a folder of
 * its own: nobody else needs its 100 MB, and the package `bun` leaves its work to an install script.
 */
function installBun(platform: string): string {
  const [system = '', processor = ''] = platform.split('-');
  const name = `@oven/bun-${system}-${architectures[processor]}`;
  const home = path.join(folder, 'node_modules', `bun-${BUN_VERSION}-${platform}`);
  const bin = path.join(home, 'node_modules', name, 'bin/bun');
  if (existsSync(bin)) return bin;
  // By force, as npm refuses a package for another platform than its own.
  const words = ['install', '--prefix', home, '--no-save', '--ignore-scripts', '--no-audit'];
  execFileSync('npm', [...words, '--no-fund', '--force', `${name}@${BUN_VERSION}`], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  if (!existsSync(bin)) throw new Error(`${name}@${BUN_VERSION} could not be installed.`);
  return bin;
}
