import { UserError } from '../errors.ts';
import { findField, type Header, locateColumn, readCells, readHeader } from './columns.ts';
import type { Mistake, RawRow, RowBatches, RowReader } from './row.ts';
import { checkWorkbookSize, refuseUnreadable } from './workbook-size.ts';

type Cells = readonly unknown[];

/**
 * Reads the first sheet of a workbook (.xlsx) that has the columns.
 * @throws UserError `cli_invalid_input` when it is damaged, too large, or has no such sheet.
 */
export async function openWorkbookReader(bytes: Buffer, name: string): Promise<RowReader> {
  checkWorkbookSize(bytes, name);
  const { rows, start } = findTable(await readSheets(bytes, name), name);
  const header = readHeader(rows[start]?.map(toText) ?? [], start + 1);
  if (!('fields' in header))
    return { read: () => batch(header), locate: (_, field) => ({ field }) };
  return {
    read: () =>
      batch(rows.slice(start + 1).flatMap((row, index) => readRow(row, start + index + 2, header))),
    locate: (_, field) => {
      const { column, field: name } = locateColumn(header, field);
      return { column: toLetters(column), field: name };
    },
  };
}

async function readSheets(bytes: Buffer, name: string): Promise<Cells[][]> {
  const { default: readXlsxFile } = await import('read-excel-file/node');
  try {
    const sheets = await readXlsxFile(bytes, { parseNumber: readNumber });
    return sheets.map(({ data }) => data);
  } catch (cause) {
    throw refuseUnreadable(name, cause);
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

/** `A` for 1, `AA` for 27; empty for 0. */
function toLetters(column: number): string {
  if (column === 0) return '';
  return toLetters(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));
}
