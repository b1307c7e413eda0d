import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Packs what was built last and installs it as npm does on Windows. Returns its `bin/petstore.js`. */
export function installPackage(folder: string): string {
  const prefix = path.join(folder, 'npm');
  const program = path.join(prefix, 'lib/node_modules/petstore-cli/bin/petstore.js');
  if (existsSync(program)) return program;
  const npm = (...words: string[]) =>
    execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  const quiet = ['--silent', '--ignore-scripts'];
  const tarball = path.join(folder, npm('pack', ...quiet, '--pack-destination', folder));
  mkdirSync(prefix, { recursive: true });
  const target = ['--os=win32', '--cpu=x64', '--prefer-offline', '--no-audit', '--no-fund'];
  npm('install', ...quiet, '--global', '--prefix', prefix, ...target, tarball);
  writeCommand(program, path.join(prefix, 'petstore'), npm('root', '--global'));
  return program;
}

/** Jumps to a label that is not there, which ends a batch file of Wine; on Windows it keeps "Terminate batch job?" away. */
const JUMP = 'goto #_undefined_# 2>NUL || title %COMSPEC% & ';

/** Writes petstore.cmd as npm does on Windows, by npm's own package for it, but for one jump. */
function writeCommand(program: string, file: string, packages: string): void {
  const shim = path.join(packages, 'npm/node_modules/cmd-shim');
  const words = ['require(process.argv[1])(process.argv[2], process.argv[3])', shim, program, file];
  execFileSync(process.execPath, ['-e', ...words]);
  const text = readFileSync(`${file}.cmd`, 'latin1');
  if (!text.includes(JUMP)) throw new Error('npm writes another petstore.cmd than before.');
  writeFileSync(`${file}.cmd`, text.replace(JUMP, ''), 'latin1');
}
