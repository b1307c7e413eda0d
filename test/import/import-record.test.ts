import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type ImportRecord, openImportRecords } from '../../src/import/import-record.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const id = { name: 'pets.csv', baseUrl: 'https://pets.test/v1', digest: 'a' };
const record: ImportRecord = {
  ...{ name: id.name, baseUrl: id.baseUrl, rows: 3, started: '2026-11-25T12:00:00.000Z' },
  result: { isFinished: true, added: 3, refused: 0, unknown: 0 },
};

async function openFolder() {
  const folder = path.join(await createTemporaryFolder(), 'imports');
  const open = (other: Partial<typeof id> = {}) =>
    openImportRecords(folder, { ...id, ...other }, new Date());
  return { folder, open };
}

it('is read again for the same rows, whatever the file is called', async () => {
  const { open } = await openFolder();
  await (await open()).write(record);
  expect((await open({ name: 'renamed.xlsx' })).own).toEqual(record);
});

it.each([
  ['other rows', { digest: 'b' }],
  ['another service', { baseUrl: 'https://other.test/v1' }],
])('is not that of %s', async (_, other) => {
  const { open } = await openFolder();
  await (await open()).write(record);
  expect((await open(other)).own).toBeUndefined();
});

it('finds the latest import of other rows in a file of the same name', async () => {
  const { open } = await openFolder();
  const latest = { ...record, started: '2026-11-25T13:00:00.000Z' };
  await (await open({ digest: 'b' })).write(record);
  await (await open({ digest: 'c' })).write(latest);
  await (await open({ digest: 'd', name: 'pets.csv-more' })).write({
    ...latest,
    name: 'pets.csv-more',
  });
  expect((await open()).previous).toEqual(latest);
});

it('is not created over that of a run that began in the meantime', async () => {
  const { open } = await openFolder();
  const [first, second] = [await open(), await open()];
  expect(await first.create(record)).toBe(true);
  expect(await second.create({ ...record, started: '2026-11-25T12:00:01.000Z' })).toBe(false);
  expect((await open()).own).toEqual(record);
});

it('is created in place of one that was cut off', async () => {
  const { folder, open } = await openFolder();
  await (await open()).write(record);
  const [file = ''] = await readdir(folder);
  await writeFile(path.join(folder, file), '');
  expect(await (await open()).create(record)).toBe(true);
  expect((await open()).own).toEqual(record);
});

it('is for its owner alone', async () => {
  const { folder, open } = await openFolder();
  await (await open()).write(record);
  const [file = ''] = await readdir(folder);
  expect((await stat(path.join(folder, file))).mode & 0o777).toBe(0o600);
  expect(await readFile(path.join(folder, file), 'utf8')).not.toContain('Rex');
});

it('is deleted after 90 days', async () => {
  const { folder, open } = await openFolder();
  const old = new Date(Date.now() - 91 * 24 * 3600_000).toISOString();
  const today = { ...record, started: new Date().toISOString() };
  await (await open()).write({ ...record, started: old });
  await (await open({ digest: 'b' })).write(today);
  expect(await open()).toMatchObject({ own: undefined, previous: today });
  expect(await readdir(folder)).toHaveLength(1);
});

it('is not read from a file whose writing was killed', async () => {
  const { folder, open } = await openFolder();
  await (await open()).write(record);
  const [file = ''] = await readdir(folder);
  await rename(path.join(folder, file), path.join(folder, `${file}.123`));
  expect(await open()).toMatchObject({ own: undefined, previous: undefined });
});

it('counts as none when it was cut off', async () => {
  const { folder, open } = await openFolder();
  await (await open()).write(record);
  const [file = ''] = await readdir(folder);
  await writeFile(path.join(folder, file), '{"name":"pe');
  expect((await open()).own).toBeUndefined();
});
