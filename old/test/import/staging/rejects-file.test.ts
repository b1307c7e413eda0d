import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NewPet } from '../../../src/contract/pet.ts';
import { openRejectsFile } from '../../../src/import/staging/rejects-file.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { findMountObstacle, mountSmallDisk } from '../../support/small-disk.ts';

const csv = { path: null, format: 'csv', header: 'Name;Category;Shelf' } as const;
const json = { path: null, format: 'json', header: '' } as const;
const rex: NewPet = { name: 'Rex', categoryId: 7n };
const mia: NewPet = { name: 'Mia', categoryId: 2n ** 62n, status: 'sold' };

/** Writes both pets, as `one` and `two` in their file. */
async function write(name: string, source: typeof csv | typeof json, pets = [rex, mia]) {
  const folder = await makeFolder();
  const file = path.join(folder, name);
  const rejects = await openRejectsFile(file, source);
  const texts = ['one', 'two'];
  for (const [index, pet] of pets.entries()) await rejects.write(pet, texts[index] ?? '');
  const hash = await rejects.close();
  const text = await readFile(file, 'utf8');
  expect(hash).toBe(createHash('sha256').update(text).digest('hex'));
  expect(await readdir(folder)).toEqual([name]);
  return text;
}

describe('a file of rejected rows', () => {
  it.each([
    ['rejects.csv', csv, 'Name;Category;Shelf\none\ntwo\n'],
    ['rejects', csv, 'Name;Category;Shelf\none\ntwo\n'],
    ['rejects.json', json, '[\n  one,\n  two\n]\n'],
    ['rejects.csv', json, 'name,categoryId,status\nRex,7,\nMia,4611686018427387904,sold\n'],
    [
      'rejects.ndjson',
      csv,
      '{"name":"Rex","categoryId":7}\n{"name":"Mia","categoryId":4611686018427387904,"status":"sold"}\n',
    ],
    [
      'rejects.json',
      csv,
      '[\n  {"name":"Rex","categoryId":7},\n  {"name":"Mia","categoryId":4611686018427387904,"status":"sold"}\n]\n',
    ],
  ])('called %s keeps rows as they were, or in its own format', async (name, source, text) => {
    expect(await write(name, source)).toBe(text);
  });

  it.each([
    ['Mrs Rex', 'Mrs Rex'],
    ['Rex, I', '"Rex, I"'],
    ['Rex; I', '"Rex; I"'],
    ['"Rex" "I"', '"""Rex"" ""I"""'],
    [' Rex', '" Rex"'],
    ['Rex ', '"Rex "'],
  ])('has the name %j in CSV as %s', async (name, cell) => {
    const text = await write('rejects.csv', json, [{ ...rex, name }]);
    expect(text).toBe(`name,categoryId,status\n${cell},7,\n`);
  });

  it('is not there when no row was rejected', async () => {
    const folder = await makeFolder();
    const rejects = await openRejectsFile(path.join(folder, 'rejects.csv'), csv);
    expect(await rejects.close()).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('replaces only a file that an earlier run wrote, as it was then', async () => {
    const file = path.join(await makeFolder(), 'rejects.csv');
    const refusal = {
      code: 'cli_file',
      message: `The rejects file ${file} cannot be created: it exists already`,
    };
    await writeFile(file, 'mine');
    const known = createHash('sha256').update('mine').digest('hex');
    await expect(openRejectsFile(file, csv)).rejects.toMatchObject(refusal);
    await expect(openRejectsFile(file, csv, 'another')).rejects.toMatchObject(refusal);
    const rejects = await openRejectsFile(file, csv, known);
    await rejects.write(rex, 'one');
    await writeFile(file, 'changed meanwhile');
    await expect(rejects.close()).rejects.toMatchObject(refusal);
    expect(await readdir(path.dirname(file))).toEqual(['rejects.csv']);
    expect(await readFile(file, 'utf8')).toBe('changed meanwhile');
  });

  it('is never a folder, the imported file, or in a folder that is not there', async () => {
    const folder = await makeFolder();
    await mkdir(path.join(folder, 'a'));
    await writeFile(path.join(folder, 'pets.csv'), '');
    const open = (name: string) =>
      openRejectsFile(
        path.join(folder, name),
        { ...csv, path: path.join(folder, 'pets.csv') },
        'x',
      );
    await expect(open('a')).rejects.toThrow('it exists already');
    await expect(open('./pets.csv')).rejects.toThrow('is the file that is imported');
    await expect(open('b/rejects.csv')).rejects.toMatchObject({
      message: expect.stringContaining(' cannot be created: '),
      cause: expect.objectContaining({ code: 'ENOENT' }),
    });
    await expect(open('pets.csv/rejects.csv')).rejects.toThrow(' cannot be created: ');
  });

  it.skipIf(findMountObstacle())(
    'says that it could not be written, and leaves nothing, when the disk is full',
    async () => {
      const disk = await mountSmallDisk('1m');
      const file = path.join(disk.folder, 'rejects.csv');
      const rejects = await openRejectsFile(file, csv);
      await disk.fill();
      await expect(rejects.write(rex, 'one')).rejects.toMatchObject({
        code: 'cli_output',
        message: `The rejects file ${file} could not be written: no space is left on the disk`,
        cause: { code: 'ENOSPC' },
      });
      await disk.free();
      expect(await rejects.close()).toBeUndefined();
      expect(await readdir(disk.folder)).toEqual([]);
    },
  );

  it.skipIf(process.platform !== 'linux')('leaves no file open', async () => {
    const file = path.join(await makeFolder(), 'rejects.csv');
    const rejects = await openRejectsFile(file, csv);
    await rejects.write(rex, 'one');
    await rejects.close();
    const open = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    expect(open.filter((name) => name.startsWith(file))).toEqual([]);
  });
});
