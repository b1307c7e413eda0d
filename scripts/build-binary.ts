/**
 * Builds the standalone program for this platform: `npm run build:binary [file]`. Bun comes from the npm package that
 * holds its binary for a platform, into a folder of its own: nobody else needs its 100 MB, and the package `bun`
 * leaves its work to an install script.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

const BUN_VERSION = '1.4.4';

const folder = path.resolve(import.meta.dirname, '../binary');
const [outfile = path.join(folder, 'out/petstore')] = process.argv.slice(2);
const architectures: Record<string, string> = { x64: 'x64', arm64: 'aarch64' };

const bun = installBun();
mkdirSync(path.dirname(outfile), { recursive: true });
execFileSync(bun, [path.join(folder, 'build.ts'), path.resolve(outfile)], { stdio: 'inherit' });
const megabytes = Math.round(statSync(outfile).size / 1e6);
process.stdout.write(`${path.relative('.', outfile)} (${megabytes} MB)\n`);

/** Returns the path of bun itself. */
function installBun(): string {
  const name = `@oven/bun-${process.platform}-${architectures[process.arch]}`;
  const bin = path.join(folder, 'node_modules', name, 'bin/bun');
  if (existsSync(bin) && run(bin, ['--version']) === BUN_VERSION) return bin;
  const words = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit'];
  execFileSync('npm', [...words, '--no-fund', `${name}@${BUN_VERSION}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return bin;
}

function run(file: string, words: string[]): string {
  return execFileSync(file, words, { encoding: 'utf8' }).trim();
}
