import { UserError } from '../../src/errors.ts';
import { type CheckedFile, checkFile } from '../../src/import/check-file.ts';
import { readGoodRows } from '../../src/import/check-row.ts';
import { openImportFile } from '../../src/import/open-import-file.ts';
import type { ImportFormat, PetRow } from '../../src/import/row.ts';

type Content = Buffer | string;

/** The rows of a file, checked: `Rex 7 sold`. */
export async function readPets(content: Content, format?: ImportFormat): Promise<string[]> {
  return (await readRows(content, format)).map(({ pet: { name, categoryId, status } }) =>
    [name, categoryId, ...(status === undefined ? [] : [status])].join(' '),
  );
}

export async function readRows(content: Content, format?: ImportFormat): Promise<PetRow[]> {
  const { reader } = await openImportFile(Buffer.from(content), 'pets', format);
  await checkFile(reader, 'pets');
  const rows: PetRow[] = [];
  for await (const row of readGoodRows(reader)) rows.push(row);
  return rows;
}

export async function check(content: Content): Promise<CheckedFile> {
  const { reader } = await openImportFile(Buffer.from(content), 'pets');
  return await checkFile(reader, 'pets');
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
