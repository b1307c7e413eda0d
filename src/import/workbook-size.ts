import { inflateRawSync } from 'node:zlib';
import { UserError } from '../errors.ts';

/** A workbook is held in memory as a whole, so it may hold this much; CSV has no such bounds. */
const MAX_ROWS = 100_000;
const MAX_CELLS = 2_000_000;
const MAX_XML_BYTES = 64 * 1024 * 1024;
/** The last row that a sheet can have. */
const LAST_ROW = 1_048_576;

/**
 * Looks into a workbook before it is read: the reader makes a cell of every place between the first and the last one, so a
 * small file can ask for more memory than there is. @throws UserError `cli_invalid_input`
 */
export function checkWorkbookSize(bytes: Buffer, name: string): void {
  for (const xml of unzipSheets(bytes, name)) {
    const { row, column, letters } = findLastCell(xml);
    if (row > MAX_ROWS + 1) throw refuse(name, `has ${row.toLocaleString('en-US')} rows`);
    if (row * column > MAX_CELLS) throw refuse(name, `reaches from A1 to ${letters}${row}`);
  }
}

function refuse(name: string, what: string): UserError {
  return new UserError('cli_invalid_input', `${name} is too large: a sheet ${what}.`, {
    details: [
      `a sheet may have ${MAX_ROWS.toLocaleString('en-US')} rows and ${MAX_CELLS.toLocaleString('en-US')} cells`,
      'delete what is far from the pets, or save the sheet as CSV, which may be larger',
    ],
  });
}

const filledCell = /<(?:\w+:)?c\b[^>]*?\br="([A-Z]+)(\d+)"(?![^>]*\/>)/g;
const rowNumber = /<(?:\w+:)?row\b[^>]*?\br="(\d+)"/g;

/** The last row and column with a value; empty rows count only where no sheet could have them. */
function findLastCell(xml: string) {
  let row = 0;
  let column = 0;
  let letters = 'A';
  for (const [, name = '', number = ''] of xml.matchAll(filledCell)) {
    row = Math.max(row, Number(number));
    if (toNumber(name) <= column) continue;
    letters = name;
    column = toNumber(name);
  }
  const rows = Array.from(xml.matchAll(rowNumber), ([, number]) => Number(number));
  const last = rows.reduce((most, one) => Math.max(most, one), 0);
  return { row: last > LAST_ROW ? last : row, column, letters };
}

/** `A` is 1, `AA` is 27. */
function toNumber(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** The XML of all sheets, by the directory at the end of a zip file (APPNOTE.TXT 6.3.10, sections 4.3.12 and 4.3.16). */
function* unzipSheets(bytes: Buffer, name: string): Generator<string> {
  try {
    const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
    if (end === -1) throw new Error('It has no directory.');
    let at = bytes.readUInt32LE(end + 16);
    for (let entries = bytes.readUInt16LE(end + 10); entries > 0; entries -= 1) {
      const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
      const entry = bytes.toString('latin1', at + 46, nameEnd);
      if (entry.endsWith('.xml')) {
        const xml = unzipEntry(bytes, at);
        if (/worksheets\//.test(entry)) yield xml.toString('latin1');
      }
      at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    }
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    const isTooLarge =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge)
      throw refuse(name, `contains more than ${MAX_XML_BYTES / 1024 / 1024} MiB of text`);
    throw refuseUnreadable(name, cause);
  }
}

export function refuseUnreadable(name: string, cause: unknown): UserError {
  return new UserError('cli_invalid_input', `${name} is not a workbook that can be read.`, {
    details: ['open it in the spreadsheet program and save it again as .xlsx, or as CSV'],
    cause,
  });
}

/** @param at where its entry in the directory starts. */
function unzipEntry(bytes: Buffer, at: number): Buffer {
  const local = bytes.readUInt32LE(at + 42);
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const data = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
  const isStored = bytes.readUInt16LE(at + 10) === 0;
  return isStored ? data : inflateRawSync(data, { maxOutputLength: MAX_XML_BYTES });
}
