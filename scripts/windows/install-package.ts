import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

const CMD_SHIM = 'npm/node_modules/cmd-shim/lib/index.js';

/** An installed package: its `bin/petstore.js`, and the folder that npm's `petstore.cmd` is in. */
export interface InstalledPackage {
  program: string;
  shims: string;
}

/** Packs what was built last and installs it as npm does on Windows. */
export async function installPackage(folder: string): Promise<InstalledPackage> {
  const npm = (...words: string[]) =>
    execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  const quiet = ['--silent', '--ignore-scripts'];
  const tarball = path.join(folder, npm('pack', ...quiet, '--pack-destination', folder));
  const prefix = path.join(folder, 'npm');
  mkdirSync(prefix);
  const target = ['--os=win32', '--cpu=x64', '--prefer-offline', '--no-audit', '--no-fund'];
  npm('install', ...quiet, '--global', '--prefix', prefix, ...target, tarball);
  const program = path.join(prefix, 'lib/node_modules/petstore-cli/bin/petstore.js');
  // The part of npm that writes petstore.cmd on Windows.
  const { default: writeShim } = await import(path.join(npm('root', '--global'), CMD_SHIM));
  await writeShim(program, path.join(prefix, 'petstore'));
  return { program, shims: prefix };
}
