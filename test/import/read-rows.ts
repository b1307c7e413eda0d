import { UserError } from '../../src/errors.ts';
import { type CheckedFile, checkFile } from '../../src/import/check-file.ts';
import { readImportFile } from '../../src/import/read-import-file.ts';
import type { ImportFormat, PetRow, RawFile } from '../../src/import/row.ts';

type Content = Buffer | string;

/** The rows of a file, checked: `Rex 7 sold`. */
export async function readPets(content: Content, format?: ImportFormat): Promise<string[]> {
  return (await readRows(content, format)).map(({ pet: { name, categoryId, status } }) =>
    [name, categoryId, ...(status === undefined ? [] : [status])].join(' '),
  );
}

export async function readRows(
  content: Content,
  format?: ImportFormat,
): Promise<readonly PetRow[]> {
  return (await check(content, format)).rows;
}

export async function readFile(content: Content, format?: ImportFormat): Promise<RawFile> {
  return await readImportFile(Buffer.from(content), 'pets', format);
}

/** Category 7 is called fish. */
export async function check(content: Content, format?: ImportFormat): Promise<CheckedFile> {
  return checkFile(await readFile(content, format), 'pets', (text) =>
    text.trim() === 'fish'
      ? { id: 7n }
      : { problem: 'is not a category number: write a whole number such as 7' },
  );
}

/** What is said of a file that is refused: the message, then its details. */
export async function explain(content: Content, format?: ImportFormat): Promise<string[]> {
  try {
    await readRows(content, format);
  } catch (error) {
    if (error instanceof UserError) return [error.message, ...error.details];
    throw error;
  }
  throw new Error('It was read.');
}
