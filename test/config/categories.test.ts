import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatCategory, parseCategory, readCategories } from '../../src/config/categories.ts';
import { runShell } from '../support/run-shell.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const { signal } = new AbortController();

/** A home whose config folder has this file of categories. */
async function openHome(content: string | Uint8Array) {
  const home = await createTemporaryFolder();
  const folder = path.join(home, '.config', 'petstore');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'categories.csv'), content);
  return { XDG_CONFIG_HOME: path.join(home, '.config') };
}

const readNames = async (content: string | Uint8Array) =>
  Object.fromEntries((await readCategories(await openHome(content), signal)).names);

describe('a file of categories', () => {
  it.each([
    ['as people write it', '7,fish\n8,dog\n'],
    ['with semicolons, a header and Windows lines', 'Number;Name\r\n7;fish\r\n8;dog\r\n'],
    ['as Excel saves it with a mark', '\ufeffNr,Category\n7,fish\n8,dog'],
    ['with tabs', '7\tfish\n8\tdog\n'],
    ['with the separator told', 'sep=|\n7|fish\n8|dog\n'],
    ['with the name first', 'fish,7\ndog,8\n'],
    ['with blank lines, spaces and an empty column', '\n 7 , fish ,\n\n8,"dog",\n\n'],
    ['in UTF-16', Buffer.from('\ufeff7,fish\n8,dog\n', 'utf16le')],
  ])('is read %s', async (_, content) => {
    expect(await readNames(content)).toEqual({ 7: 'fish', 8: 'dog' });
  });

  it('may have names with a separator in them', async () => {
    expect(await readNames('7;Fish, tropical\n')).toEqual({ 7: 'Fish, tropical' });
  });

  it.each([
    ['7,fish\n7,dog\n', 'line 2 has the number 7 a second time'],
    ['7,fish\n8, FISH \n', 'line 2 has the name "FISH" a second time'],
    ['7,caf\u00e9\n8,cafe\u0301\n', 'a second time'],
    ['7,8\n', 'line 1 must be a number and a name'],
    ['7,fish\ndog\n', 'line 2 must be'],
    ['7,fish, tropical\n', 'line 1 must be'],
    ['7,Sold\n', '"Sold", which means something else'],
    ['7,undo\n', 'means something else'],
    ['99999999999999999999,fish\n', 'line 1 must be'],
    ['7,"fish\n8,dog\n', 'line 1 has a lone quotation mark'],
  ])('is refused in one sentence: %j', async (content, words) => {
    await expect(readNames(content)).rejects.toMatchObject({
      code: 'cli_invalid_config',
      message: expect.stringContaining(words),
    });
  });
});

describe('the place of the file', () => {
  it('is PETSTORE_CATEGORIES, a file or a folder', async () => {
    const folder = await createTemporaryFolder();
    const file = path.join(folder, 'categories.csv');
    await writeFile(file, '7,fish\n');
    for (const PETSTORE_CATEGORIES of [folder, file])
      expect(await readCategories({ PETSTORE_CATEGORIES }, signal)).toMatchObject({ file });
  });

  it('may be without a file, unless the variable names it', async () => {
    const HOME = await createTemporaryFolder();
    expect((await readCategories({ HOME }, signal)).names.size).toBe(0);
    const PETSTORE_CATEGORIES = path.join(HOME, 'gone.csv');
    await expect(readCategories({ HOME, PETSTORE_CATEGORIES }, signal)).rejects.toMatchObject({
      message: expect.stringMatching(/gone\.csv \(PETSTORE_CATEGORIES\).*no such file/),
    });
  });

  it('is not waited for where it is a pipe, or a folder of that name', async () => {
    const folder = await createTemporaryFolder();
    await runShell(`mkfifo '${folder}/pipe'`);
    for (const name of ['pipe', '..'])
      await expect(
        readCategories({ PETSTORE_CATEGORIES: path.join(folder, name) }, signal),
      ).rejects.toMatchObject({ code: 'cli_invalid_config' });
  });
});

describe('a category that is typed', () => {
  const categories = {
    file: '/categories.csv',
    names: new Map([
      [7n, 'fish'],
      [8n, 'Guinea pig'],
    ]),
  };

  it.each([
    ['7', 7n],
    ['fish', 7n],
    [' FISH ', 7n],
    ['7 fish', 7n],
    ['guinea   PIG', 8n],
    ['99', 99n],
    ['-9223372036854775808', -(2n ** 63n)],
  ])('is a number, a name, or both: %j', (text, id) => {
    expect(parseCategory(categories, text)).toBe(id);
  });

  it.each([
    ['fihs', '"fihs" is not a category: did you mean fish?'],
    ['guinea pigs', 'did you mean Guinea pig?'],
    ['7 cat', '"7 cat" is not a category: 7 is "fish"'],
    ['dragon', 'write a number, or a name such as fish'],
    ['', 'is not a category'],
  ])('is refused with the nearest: %j', (text, words) => {
    expect(() => parseCategory(categories, text)).toThrow(words);
  });

  it('names the file to write where there is none', () => {
    const nothing = { file: '/home/categories.csv', names: new Map() };
    expect(() => parseCategory(nothing, 'fish')).toThrow(
      expect.objectContaining({
        code: 'cli_usage',
        details: [expect.stringContaining('/home/categories.csv'), '7,fish', '8,dog'],
      }),
    );
  });

  it('is shown with its number', () => {
    expect([7n, 9n].map((id) => formatCategory(categories, id))).toEqual(['7 fish', '9']);
  });
});
