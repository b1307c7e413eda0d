import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildArchive } from '../../../scripts/release/build-archive.ts';
import { canRun } from '../../support/can-run.ts';
import { makeFolder } from '../../support/make-folder.ts';

it.skipIf(!canRun('tar', 'xz'))(
  'the archive of a standalone program holds it, its manual, its licenses and its changes, and nothing else',
  async () => {
    const folder = await makeFolder();
    const [program, licenses] = ['program', 'licenses'].map((name) => path.join(folder, name));
    for (const file of [program, licenses]) writeFileSync(file ?? '', '', { mode: 0o600 });
    const source = { program: program ?? '', licenses: licenses ?? '', manual: '.TH PETSTORE 1' };
    const archive = buildArchive(source, 'petstore-1.2.3-linux-x64', folder);
    expect(path.basename(archive)).toBe('petstore-1.2.3-linux-x64.tar.xz');
    const lines = execFileSync('tar', ['-tJvf', archive], { encoding: 'utf8' }).trim().split('\n');
    expect(
      lines.map((line) => line.replace(/^(\S+ \S+) .* petstore-1.2.3-linux-x64/, '$1 ')),
    ).toEqual([
      'drwxr-xr-x 0/0 /',
      '-rw-r--r-- 0/0 /CHANGELOG.md',
      '-rw-r--r-- 0/0 /LICENSE',
      '-rw-r--r-- 0/0 /THIRD-PARTY-LICENSES.txt',
      '-rwxr-xr-x 0/0 /petstore',
      '-rw-r--r-- 0/0 /petstore.1',
    ]);
  },
);
