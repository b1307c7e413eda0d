import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readBytes } from '../../src/input/read-bytes.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const MIB = 1024 * 1024;
const { signal } = new AbortController();

async function createFile(length: number): Promise<string> {
  const file = path.join(await createTemporaryFolder(), 'pets.csv');
  await writeFile(file, '');
  await truncate(file, length);
  return file;
}

/** As a pipe it does not say how long it is. */
const createStream = async (length: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(length / MIB) }, (_, at) =>
      Buffer.alloc(Math.min(MIB, length - at * MIB)),
    ),
  );

it.each([
  ['a file', createFile],
  ['stdin', createStream],
] as const)('of %s, 32 MiB are read, and one byte more is refused', async (_, create) => {
  const longest = 32 * MIB;
  const measure = async (length: number) =>
    (await readBytes(await create(length), 'pets.csv', signal)).length;
  expect(await measure(longest)).toBe(longest);
  await expect(measure(longest + 1)).rejects.toThrow('pets.csv is larger than 32 MiB.');
});

it('says of a file that a spreadsheet program has locked what to do', async () => {
  const locked = Object.assign(new Error('locked'), { code: 'EBUSY' });
  const file = new Readable({ read() {} }).destroy(locked);
  await expect(readBytes(file, 'pets.xlsx', signal)).rejects.toThrow(
    'pets.xlsx is open in another program: close it there, then type the same line again.',
  );
});
