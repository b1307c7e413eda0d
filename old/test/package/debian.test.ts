import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildDebianPackage } from '../../scripts/debian/build-package.ts';
import { version } from '../../src/version.ts';
import { builtProgram } from '../support/built-program.ts';
import { canRun } from '../support/can-run.ts';
import { makeFolder } from '../support/make-folder.ts';

const dist = path.resolve(import.meta.dirname, '../../dist');
const licenses = path.join(dist, 'THIRD-PARTY-LICENSES.txt');

/** The package around the program that Node runs, which takes no time to build; `npm run test:deb` has the real one. */
async function buildPackage(): Promise<string> {
  const folder = await makeFolder();
  const program = path.join(folder, 'petstore');
  const line = `#!/bin/sh\nexec ${process.execPath} ${builtProgram} "$@"\n`;
  writeFileSync(program, line, { mode: 0o755 });
  const manual = readFileSync(path.join(dist, 'man/petstore.1'), 'utf8');
  return buildDebianPackage({ program, licenses, manual }, folder);
}

const read = (...words: string[]) => execFileSync('dpkg-deb', words, { encoding: 'utf8' });

it.skipIf(!canRun('dpkg', 'dpkg-deb'))(
  'the Debian package holds program, manual, completions and licenses, runs nothing at installation, and leaves nothing',
  async () => {
    const file = await buildPackage();
    expect(path.basename(file)).toBe(`petstore_${version}_amd64.deb`);
    expect(read('--field', file, 'Recommends')).toBe('libsecret-1-0\n');
    expect(read('--field', file, 'Version')).toBe(`${version}\n`);
    const lines = read('--contents', file).split('\n');
    const listed = lines.filter((line) => line !== '' && !line.endsWith('/'));
    expect(listed.map((line) => line.replace(/ .* \.\//, ' ')).sort()).toEqual([
      '-rw-r--r-- usr/share/bash-completion/completions/petstore',
      '-rw-r--r-- usr/share/doc/petstore/THIRD-PARTY-LICENSES.txt',
      '-rw-r--r-- usr/share/doc/petstore/changelog.gz',
      '-rw-r--r-- usr/share/doc/petstore/copyright',
      '-rw-r--r-- usr/share/fish/vendor_completions.d/petstore.fish',
      '-rw-r--r-- usr/share/man/man1/petstore.1.gz',
      '-rw-r--r-- usr/share/zsh/vendor-completions/_petstore',
      '-rwxr-xr-x usr/bin/petstore',
    ]);
    expect(lines.filter((line) => line !== '' && !line.includes(' root/root '))).toEqual([]);
    const control = await makeFolder();
    read('--control', file, control);
    expect(readdirSync(control).sort()).toEqual(['control', 'md5sums']);
    await installAndPurge(file);
  },
);

/** With a package database of its own. */
async function installAndPurge(file: string): Promise<void> {
  const target = await makeFolder();
  for (const name of ['updates', 'info']) {
    mkdirSync(path.join(target, 'var/lib/dpkg', name), { recursive: true });
  }
  writeFileSync(path.join(target, 'var/lib/dpkg/status'), '');
  const dpkg = (...words: string[]) =>
    execFileSync('dpkg', [`--root=${target}`, '--force-not-root', '--force-depends', ...words], {
      stdio: 'pipe',
      encoding: 'utf8',
    });
  dpkg('--install', file);
  expect(dpkg('--verify', 'petstore')).toBe('');
  expect(readdirSync(target).sort()).toEqual(['usr', 'var']);
  const installed = path.join(target, 'usr/share/doc/petstore/THIRD-PARTY-LICENSES.txt');
  expect(readFileSync(installed, 'utf8')).toBe(readFileSync(licenses, 'utf8'));
  dpkg('--purge', 'petstore');
  expect(readdirSync(target)).toEqual(['var']);
}
