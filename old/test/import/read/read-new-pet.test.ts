import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { readNewPet } from '../../../src/import/read/read-new-pet.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { within } from '../../support/within.ts';

const { signal } = new AbortController();
const noStdin = () => Readable.from([]);

async function writePet(content: string | Uint8Array): Promise<string> {
  const file = path.join(await makeFolder(), 'pet.json');
  await writeFile(file, content);
  return file;
}

async function readFrom(content: string | Uint8Array) {
  return await readNewPet('-', Readable.from([Buffer.from(content)]), signal);
}

const rex = '{"name":"Rex","categoryId":"7","status":"SOLD"}';
const read = { name: 'Rex', categoryId: 7n, status: 'sold' };

const deep = `{"name":1.0,"a":${'['.repeat(100_000)}1.2345678901234567890${']'.repeat(100_000)}}`;

describe('one pet as JSON', () => {
  it('is read from a file, a byte order mark or not, or from stdin', async () => {
    for (const content of [rex, `\uFEFF${rex}`, ` ${rex}\n`])
      expect(await readNewPet(await writePet(content), noStdin(), signal)).toEqual(read);
    expect(await readFrom(rex)).toEqual(read);
  });

  it('may lack members, which are asked for or come from flags', async () => {
    expect(await readFrom('{}')).toEqual({});
  });

  it.each<[string, string | Uint8Array, string]>([
    ['an array', '[]', 'it must be a JSON object'],
    ['nothing', '', 'it is not JSON: '],
    ['a second mark', `\uFEFF\uFEFF${rex}`, 'it is not JSON: '],
    ['a member twice', '{"name":"a","name":"b"}', 'name is given twice'],
    [
      'wrong values',
      '{"name":"\\t","categoryId":"x"}',
      'name: is empty; categoryId: "x" is not a category number: write a whole number such as 7',
    ],
    ['bytes that are not UTF-8', Buffer.from('{"name":"Zo\xeb"}', 'latin1'), 'it is not UTF-8'],
    ['more than any pet', `${' '.repeat(1024 * 1024)}{}`, 'it is longer than 1024 KiB'],
    ['thousands of levels', deep, 'it is too deeply nested (line 1, column 1016)'],
  ])('that is %s is refused with what it should look like', async (_, content, problem) => {
    const error = await readFrom(content).catch((cause: unknown) => cause);
    if (!(error instanceof UserError)) throw error;
    expect(error.message).toContain(`stdin does not hold a pet: ${problem}`);
    expect(error).toMatchObject({
      code: 'cli_invalid_input',
      details: ['it should look like {"name":"Rex","categoryId":7,"status":"available"}'],
    });
  });

  it('may have a mebibyte', async () => {
    expect(await readFrom(`${' '.repeat(1024 * 1024 - 2)}{}`)).toEqual({});
  });

  it('in a file that is not there, or cannot be read, is a failure of that file', async () => {
    const folder = await makeFolder();
    const file = path.join(folder, 'pet.json');
    await expect(readNewPet(file, noStdin(), signal)).rejects.toMatchObject({
      ...{ code: 'cli_file', message: `There is no file ${file}` },
      cause: expect.objectContaining({ code: 'ENOENT' }),
    });
    await expect(readNewPet(folder, noStdin(), signal)).rejects.toMatchObject({
      ...{ code: 'cli_file', message: expect.stringContaining(`${folder} cannot be read: `) },
      cause: expect.objectContaining({ code: 'EISDIR' }),
    });
  });

  it('is not waited for when the program is asked to stop', async () => {
    const stop = new AbortController();
    const reading = readNewPet('-', new Readable({ read() {} }), stop.signal);
    stop.abort();
    await expect(within(reading, 'reading ends')).rejects.toMatchObject({ name: 'AbortError' });
  });
});
