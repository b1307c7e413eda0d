import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Packs what was built last and installs it as npm does on Windows. Returns its `bin/petstore.js`. */
export function installPackage(folder: string): string {
  const npm = (...words: string[]) =>
    execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  const quiet = ['--silent', '--ignore-scripts'];
  const tarball = path.join(folder, npm('pack', ...quiet, '--pack-destination', folder));
  const prefix = path.join(folder, 'npm');
  mkdirSync(prefix);
  const target = ['--os=win32', '--cpu=x64', '--prefer-offline', '--no-audit', '--no-fund'];
  npm('install', ...quiet, '--global', '--prefix', prefix, ...target, tarball);
  return path.join(prefix, 'lib/node_modules/petstore-cli/bin/petstore.js');
}
