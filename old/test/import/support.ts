import { Readable } from 'node:stream';
import { openStreamInput } from '../../src/import/read/open-input.ts';
import { readRows } from '../../src/import/read/read-rows.ts';
import type { BadRow, GoodRow, ImportFormat } from '../../src/import/read/row.ts';

/** Every row of an input with this content, the notices, and its line of column names. */
export async function readAll(content: string | Uint8Array | Readable, format: ImportFormat) {
  const { source } = await openStreamInput(
    content instanceof Readable ? content : Readable.from(cut(Buffer.from(content))),
    new AbortController().signal,
    format,
  );
  const notices: string[] = [];
  const rows: (GoodRow | BadRow)[] = [];
  let header = '';
  const options = {
    onNotice: (message: string) => void notices.push(message),
    onHeader: (text: string) => {
      header = text;
    },
  };
  for await (const some of readRows(source, format, options)) rows.push(...some);
  return { rows, notices, header };
}

/** As a pipe hands it over: pieces that end anywhere, the first ones of a byte or two. */
async function* cut(content: Buffer): AsyncGenerator<Buffer> {
  let from = 0;
  for (let size = 1; from < content.length; size += 1 + Math.floor(size / 2)) {
    yield content.subarray(from, from + size);
    from += size;
  }
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
