import { UserError } from '../errors.ts';
import { decodeText, type Encoding } from '../input/decode-text.ts';
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
  const { text: decoded, encoding } = decodeText(bytes);
  const text = Buffer.from(decoded);
  if (text.includes(0))
    throw new UserError('cli_invalid_input', `${name} is neither a workbook (.xlsx) nor text.`, {
      details: ['open it in the program that wrote it, and save it as .xlsx or as CSV'],
    });
  const isJson =
    format === undefined ? /^\s*[[{]/.test(text.toString('utf8', 0, 1024)) : format !== 'csv';
  return { reader: isJson ? createJsonReader(text) : createCsvReader(text), encoding };
}

function startsWith(bytes: Buffer, start: string): boolean {
  return bytes.toString('latin1', 0, start.length) === start;
}
