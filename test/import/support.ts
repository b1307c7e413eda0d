import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openImportFile } from '../../src/import/import-file.ts';
import type { ImportFormat, Row } from '../../src/import/read/row.ts';
import { makeFolder } from '../support/make-folder.ts';

/** Every row of a file with this content, and the notices. */
export async function readAll(content: string | Uint8Array, format: ImportFormat) {
  const file = path.join(await makeFolder(), 'pets');
  await writeFile(file, content);
  const opened = await openImportFile({ path: file, format });
  const notices: string[] = [];
  const rows: Row[] = [];
  try {
    const { rows: all } = opened.readRows({ onNotice: (message) => notices.push(message) });
    for await (const row of all) rows.push(row);
  } finally {
    await opened.close();
  }
  return { rows, notices };
}

/** The pets of good rows; a bad row fails the test by its problems. */
export async function readPets(content: string | Uint8Array, format: ImportFormat) {
  const { rows } = await readAll(content, format);
  return rows.map((row) => ('pet' in row ? row.pet : row.problems));
}

/** Every problem as `line:column field reason`. */
export async function readProblems(content: string | Uint8Array, format: ImportFormat) {
  const { rows } = await readAll(content, format);
  return rows.flatMap((row) =>
    'problems' in row
      ? row.problems.map(
          ({ line, column, field, reason }) =>
            `${line}:${column}${field === undefined ? '' : ` ${field}`}: ${reason}`,
        )
      : [],
  );
}
