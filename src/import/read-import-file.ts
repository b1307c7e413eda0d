import { UserError } from '../errors.ts';
import { decodeText } from '../input/decode-text.ts';
import { readJsonFile } from './read-json.ts';
import { readCsvFile, readSheets } from './read-table.ts';
import type { ImportFormat, RawFile } from './row.ts';

/** How files of spreadsheet programs start: zip (.xlsx, .ods), and the compound files of .xls and of passwords. */
const workbookStart = /^(?:PK\x03\x04|\xD0\xCF\x11\xE0)/;

/**
 * Finds out by its content what a file is, whatever its name says, and reads it.
 * @param format from `--format`. @throws UserError `cli_invalid_input` when it is nothing that can be imported.
 */
export async function readImportFile(
  bytes: Buffer,
  name: string,
  format?: ImportFormat,
): Promise<RawFile> {
  const start = bytes.toString('latin1', 0, 1024);
  if (format === 'xlsx' || (format === undefined && workbookStart.test(start))) {
    if (!workbookStart.test(start)) throw refuseOther(name, 'is not a workbook');
    const { readWorkbook } = await import('../input/workbook.ts');
    return readSheets(await readWorkbook(bytes, name), name);
  }
  const { text, isGuessed } = decodeText(bytes);
  if (text.trim() === '') throw new UserError('cli_invalid_input', `${name} is empty.`);
  if (/^[\0-\x08\x0E-\x1F]|\0/.test(text))
    throw refuseOther(name, 'is neither a workbook (.xlsx) nor text');
  if (/^\s*<(?:!doctype|html|table|\?xml|meta|head)/i.test(text))
    throw refuseOther(name, 'is a web page or XML, whatever its name says');
  const isJson = format === undefined ? /^\s*[[{]/.test(text) : format !== 'csv';
  const file = isJson ? readJsonFile(text) : readCsvFile(text);
  if (!isGuessed) return file;
  const guess = `${name} is not UTF-8 and was read as Windows-1252: check the letters.`;
  return { ...file, warnings: [...file.warnings, guess] };
}

function refuseOther(name: string, what: string): UserError {
  return new UserError('cli_invalid_input', `${name} ${what}.`, {
    details: ['open it in the program that wrote it, and save it as .xlsx or as CSV'],
  });
}
