import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleProgram } from '../../scripts/bundle.ts';
import { findPackages } from '../../scripts/licenses.ts';
import { version } from '../../src/version.ts';
import { openTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

// What npm would publish, with the build that belongs to it.
let folder: TemporaryFolder;
let unpacked = '';
beforeAll(async () => {
  folder = await openTemporaryFolder();
  unpacked = path.join(folder.path, 'package');
  const options: ExecFileSyncOptions = { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] };
  execFileSync('npm', ['pack', '--pack-destination', folder.path], options);
  const archive = path.join(folder.path, `petstore-cli-${version}.tgz`);
  execFileSync('tar', ['xzf', archive, '-C', folder.path], options);
});
afterAll(() => folder.remove());

it.each([
  ['--version', version],
  ['--help', 'petstore add'],
])(
  '%s works where it is unpacked, without its dependencies, a home or a terminal',
  (word, text) => {
    const words = [path.join(unpacked, 'bin/petstore.js'), word];
    const shown = execFileSync(process.execPath, words, { encoding: 'utf8', env: {} });
    expect(shown).toContain(text);
  },
);

it('has the program, its pages and nothing of its sources', () => {
  expect(readdirSync(unpacked).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin',
    'dist',
    'docs',
    'package.json',
  ]);
  expect(readdirSync(path.join(unpacked, 'dist')).toSorted()).toEqual([
    'THIRD-PARTY-LICENSES.txt',
    'keychain-child.cjs',
    'load.cjs',
    'main.cjs',
    'petstore.1',
    'service',
    'workbook.cjs',
    'writer.cjs',
  ]);
});

it('has the license of every package that is in it', async () => {
  const inputs = await bundleProgram(path.join(folder.path, 'again'));
  const names = findPackages(inputs).map((name) => name.replace(/^.*node_modules\//, ''));
  const text = readFileSync(path.join(unpacked, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  const titles = [...text.matchAll(/^(\S+) \S+ \(.+\)\n=+$/gm)].map(([, name]) => name);
  expect(titles.toSorted()).toEqual(names.toSorted());
  expect(names).toContain('undici');
});

it('has a manual page with every command', () => {
  const page = readFileSync(path.join(unpacked, 'dist/petstore.1'), 'utf8');
  for (const name of ['add', 'list', 'import', 'serve', 'keys create'])
    expect(page).toContain(`\n.SS petstore ${name}`);
});
