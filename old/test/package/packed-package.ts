import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

/** Makes the tarball of what was built last and returns its path. */
export async function packPackage(folder: string): Promise<string> {
  if (!existsSync(path.join(root, 'dist/load.cjs'))) throw new Error('First: npm run build');
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  return path.join(folder, (await run('npm', words, { cwd: root })).stdout.trim());
}

/** Installs a tarball globally into an empty prefix and returns the path of its program. */
export async function installGlobally(
  tarball: string,
  prefix: string,
  flags: readonly string[],
): Promise<string> {
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--global', '--prefix', prefix, ...quiet, ...flags, tarball]);
  return path.join(prefix, 'bin/petstore');
}
