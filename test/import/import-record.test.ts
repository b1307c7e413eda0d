import fs, { readdir, readFile, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  createImportRecord,
  endImportRecord,
  type ImportRecord,
  readImportRecords,
  writeImportRecord,
} from '../../src/import/import-record.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { watchSyncs } from '../support/watch-syncs.ts';

const now = new Date('2026-11-25T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();

const record: ImportRecord = {
  ...{ name: 'pets.csv', baseUrl: 'https://pets.test/v1', digest: 'a', started: daysAgo(0) },
  ...{ states: 'iii', hashes: 'AAAAAAAAAAA=' },
};

const openFolder = async () => path.join(await createTemporaryFolder(), 'imports');
const readAll = async (folder: string) =>
  (await readImportRecords(folder, now)).map(({ digest }) => digest);

it('is read again, newest first, and only its owner may read it', async () => {
  const folder = await openFolder();
  await writeImportRecord(folder, record);
  await writeImportRecord(folder, { ...record, digest: 'b', started: daysAgo(1) });
  expect(await readImportRecords(folder, now)).toMatchObject([record, { digest: 'b' }]);
});

it.each([
  ['created', createImportRecord],
  ['changed', writeImportRecord],
])('is on the disk, and its name and its folder are, when it is %s', async (_, write) => {
  const folder = await openFolder();
  const seen = await watchSyncs();
  await write(folder, record);
  const [name = ''] = await readdir(folder);
  const files = { record: path.join(folder, name), imports: folder, state: path.dirname(folder) };
  expect(seen(files)).toEqual(['sync record', 'rename record', 'sync imports', 'sync state']);
});

it('is created once', async () => {
  const folder = await openFolder();
  const results = await Promise.all([1, 2, 3].map(() => createImportRecord(folder, record)));
  expect(results.filter(Boolean)).toHaveLength(1);
});

it('takes the place of one that was cut off, which counts as none', async () => {
  const folder = await openFolder();
  await createImportRecord(folder, record);
  const [name = ''] = await readdir(folder);
  const file = path.join(folder, name);
  await writeFile(file, (await readFile(file, 'utf8')).slice(0, 40));
  expect(await readAll(folder)).toEqual([]);
  expect(await createImportRecord(folder, record)).toBe(true);
  expect(await readAll(folder)).toEqual(['a']);
});

it('keeps what another run found to be in', async () => {
  const folder = await openFolder();
  await writeImportRecord(folder, { ...record, states: 'nin' });
  await endImportRecord(folder, { ...record, states: 'inu' });
  expect(await readImportRecords(folder, now)).toMatchObject([{ states: 'iiu' }]);
});

it.each([
  ['an old one', { started: daysAgo(91) }, false],
  ['one of 89 days', { started: daysAgo(89) }, true],
  ['an old one that is not finished', { started: daysAgo(91), states: 'iin' }, true],
  ['an old one that was killed', { started: daysAgo(91), states: 'sss' }, true],
  ['an old one that is the newest of its name', { started: daysAgo(91), name: 'x.csv' }, true],
])('is kept or deleted after 90 days: %s', async (_, change, isKept) => {
  const folder = await openFolder();
  await writeImportRecord(folder, record);
  await writeImportRecord(folder, { ...record, digest: 'b', ...change });
  await readAll(folder);
  expect((await readAll(folder)).includes('b')).toBe(isKept);
});

it('is read also where an old one cannot be deleted', async () => {
  const folder = await openFolder();
  await writeImportRecord(folder, record);
  await writeImportRecord(folder, { ...record, digest: 'b', started: daysAgo(91) });
  vi.spyOn(fs, 'rm').mockRejectedValue(new Error('EACCES'));
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  expect(await readAll(folder)).toEqual(['a', 'b']);
});

it('is none where there is no folder', async () => {
  expect(await readAll(await openFolder())).toEqual([]);
});
