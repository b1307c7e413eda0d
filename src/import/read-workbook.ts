import { UserError } from '../errors.ts';
import { findField, type Header, readCells, readHeader } from './columns.ts';
import type { Mistake, RawRow, RowBatches, RowReader } from './row.ts';
import { checkWorkbookSize } from './workbook-size.ts';

type Cells = readonly unknown[];

/**
 * Reads the first sheet of a workbook (.xlsx) that has the columns.
 * @throws UserError `cli_invalid_input` when it is damaged, too large, or has no such sheet.
 */
export async function openWorkbookReader(bytes: Buffer, name: string): Promise<RowReader> {
  checkWorkbookSize(bytes, name);
  const { rows, start } = findTable(await readSheets(bytes, name), name);
  const header = readHeader(rows[start]?.map(toText) ?? [], start + 1);
  if (!('fields' in header)) return { read: () => batch(header), locate: () => undefined };
  return {
    read: () =>
      batch(rows.slice(start + 1).flatMap((row, index) => readRow(row, start + index + 2, header))),
    locate: (_, field) => toLetters(header.fields.indexOf(field)),
  };
}

async function readSheets(bytes: Buffer, name: string): Promise<Cells[][]> {
  const { default: readXlsxFile } = await import('read-excel-file/node');
  try {
    const sheets = await readXlsxFile(bytes, { parseNumber: readNumber });
    return sheets.map(({ data }) => data);
  } catch (cause) {
    throw new UserError('cli_invalid_input', `${name} is not a workbook that can be read.`, {
      details: ['open it in the spreadsheet program and save it again as .xlsx, or as CSV'],
      cause,
    });
  }
}

/** Of a number a spreadsheet keeps 15 digits and makes up the others: a longer one is read as the spreadsheet shows it. */
function readNumber(text: string): string {
  return /\d{16}/.test(text) ? Number(text).toExponential() : text;
}

/** The first row with the name of a column, in the first sheet with such a row. */
function findTable(sheets: readonly Cells[][], name: string) {
  for (const rows of sheets) {
    const start = rows.findIndex((cells) => cells.some((cell) => findField(toText(cell))));
    if (start !== -1) return { rows, start };
  }
  throw new UserError('cli_invalid_input', `${name} has no sheet with columns for pets.`, {
    details: ['a row of the sheet must name the columns: name, category, status'],
  });
}

function toText(cell: unknown): string {
  return cell === null || cell === undefined ? '' : String(cell);
}

function readRow(cells: Cells, line: number, header: Header): (RawRow | Mistake)[] {
  if (cells.every((cell) => toText(cell).trim() === '')) return [];
  const values = readCells(cells, header);
  return [typeof values === 'string' ? { line, reason: values } : { line, values }];
}

async function* batch(rows: readonly (RawRow | Mistake)[]): RowBatches {
  yield rows;
}

/** `A` for 0, `AA` for 26. */
function toLetters(index: number): string | undefined {
  if (index < 0) return undefined;
  return (toLetters(Math.floor(index / 26) - 1) ?? '') + String.fromCharCode(65 + (index % 26));
}
