import path from 'node:path';
import { UserError } from '../errors.ts';
import { decodeText, type Encoding } from './decode-text.ts';
import { createCsvReader } from './read-csv.ts';
import { createJsonReader } from './read-json.ts';
import type { ImportFormat, RowReader } from './row.ts';

export interface ImportFile {
  readonly reader: RowReader;
  /** Of text; Windows-1252 is a guess that somebody should look at. */
  readonly encoding?: Encoding;
}

/**
 * Finds out by its content what a file is, whatever its name says, and opens its reader.
 * @param format from `--format`. @throws UserError `cli_invalid_input` when it is nothing that can be imported.
 */
export async function openImportFile(
  bytes: Buffer,
  name: string,
  format?: ImportFormat,
): Promise<ImportFile> {
  if (bytes.length === 0) throw new UserError('cli_invalid_input', `${name} is empty.`);
  if (format === 'xlsx' || (format === undefined && startsWith(bytes, 'PK\x03\x04'))) {
    const { openWorkbookReader } = await import('./read-workbook.ts');
    return { reader: await openWorkbookReader(bytes, name) };
  }
  refuseKnown(bytes, name);
  const { bytes: text, encoding } = decodeText(bytes);
  if (text.includes(0)) throw refuse(name, 'is not text', saveAgain);
  const isJson =
    format === undefined ? /^\s*[[{]/.test(text.toString('utf8', 0, 1024)) : format !== 'csv';
  return { reader: isJson ? createJsonReader(text) : createCsvReader(text), encoding };
}

const saveAgain = 'open it in the program that wrote it and save it as .xlsx or as CSV';

/** What people have besides, and how it becomes a file that can be read. */
function refuseKnown(bytes: Buffer, name: string): void {
  if (startsWith(bytes, '\xD0\xCF\x11\xE0'))
    throw refuse(name, 'is an old Excel workbook (.xls)', saveAgain);
  if (startsWith(bytes, '%PDF'))
    throw refuse(name, 'is a PDF', 'ask for the list as a spreadsheet');
  if (startsWith(bytes, '\x1F\x8B'))
    throw refuse(name, 'is compressed', `gunzip ${path.basename(name)}`);
}

function startsWith(bytes: Buffer, start: string): boolean {
  return bytes.toString('latin1', 0, start.length) === start;
}

function refuse(name: string, what: string, cure: string): UserError {
  return new UserError('cli_invalid_input', `${name} ${what}.`, { details: [cure] });
}
