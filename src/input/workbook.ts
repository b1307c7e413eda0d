import type { CellObject, ParsingOptions, WorkBook, WorkSheet } from '@e965/xlsx';
import { UserError } from '../errors.ts';
import { findHiddenRows, refuseUnreadable } from './workbook-xml.ts';

/** A cell of a table: its text, or why there is none although it is not empty. */
export type Cell = string | { readonly shown: string; readonly reason: string };

export interface TableRow {
  /** From 1, as an editor or a spreadsheet counts. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

export interface VisibleSheet {
  readonly name: string;
  /** Those that hold something. */
  readonly rows: readonly TableRow[];
  /** Lines that are hidden or filtered out. */
  readonly hiddenLines: ReadonlySet<number>;
}

const options: ParsingOptions = {
  dense: true,
  cellText: false,
  cellHTML: false,
  cellDates: true,
  UTC: true,
  // A formula without a value is told by its stub.
  sheetStubs: true,
};

/** Reads .xlsx, .xlsb, .xls and .ods. @throws UserError `cli_invalid_input` when it is no workbook, damaged, locked or too large. */
export async function readWorkbook(bytes: Buffer, name: string): Promise<VisibleSheet[]> {
  const hiddenRows = findHiddenRows(bytes, name);
  const book = await parseWorkbook(bytes, name);
  return book.SheetNames.flatMap((sheetName, index) => {
    if (book.Workbook?.Sheets?.[index]?.Hidden) return [];
    const sheet = book.Sheets[sheetName];
    // What cannot be read is left out without a word.
    if (sheet === undefined) throw refuseUnreadable(`The sheet ${sheetName} of ${name}`);
    const told = (sheet['!rows'] ?? []).map((row, at) => (row?.hidden ? at + 1 : 0));
    const hiddenLines = new Set([...(hiddenRows[index] ?? []), ...told]);
    return [{ name: sheetName, rows: readRows(sheet), hiddenLines }];
  });
}

async function parseWorkbook(bytes: Buffer, name: string): Promise<WorkBook> {
  const { default: xlsx } = await import('@e965/xlsx/dist/xlsx.full.min.js');
  try {
    return xlsx.read(bytes, options);
  } catch (cause) {
    if (/password|encrypt/i.test(String(cause))) throw refuseLocked(name);
    throw refuseUnreadable(name, cause);
  }
}

function refuseLocked(name: string): UserError {
  return new UserError('cli_invalid_input', `${name} is protected by a password.`, {
    details: ['open it in the spreadsheet program and save a copy without one'],
  });
}

/** A sheet of charts or macros has no cells. */
function readRows(sheet: WorkSheet): TableRow[] {
  const rows: TableRow[] = [];
  for (const [index, found] of Object.entries(sheet['!data'] ?? [])) {
    const cells = Array.from(found ?? [], readCell);
    if (cells.some((cell) => cell !== '')) rows.push({ line: Number(index) + 1, cells });
  }
  return rows;
}

/** The codes of errors (MS-XLSB, section 2.5.97.2). */
const errors: Readonly<Record<string, string>> = {
  ...{ 0: '#NULL!', 7: '#DIV/0!', 15: '#VALUE!', 23: '#REF!', 29: '#NAME?', 36: '#NUM!' },
  ...{ 42: '#N/A', 43: '#GETTING_DATA' },
};

function readCell(cell: CellObject | undefined): Cell {
  const { t: kind, v: value, f: formula } = cell ?? {};
  if (kind === 'e') {
    const shown = errors[String(value)] ?? '#ERROR!';
    return {
      shown,
      reason: 'is an error of the spreadsheet: correct the formula, or type the value',
    };
  }
  if (kind === 'z' && formula !== undefined) {
    const reason = 'has no value yet: open the file in the spreadsheet program and save it';
    return { shown: `the formula =${formula}`, reason };
  }
  if (value instanceof Date) {
    const reason = 'is a date: give the column the format Text and type it again';
    return { shown: value.toISOString().slice(0, 10), reason };
  }
  if (kind === 'z' || value === undefined) return '';
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'boolean' ? String(value).toUpperCase() : value;
}

/** In plain decimals, of the 15 digits that a spreadsheet keeps; what is longer stays in its short form, which no category has. */
function formatNumber(value: number): string {
  const shown = Number(value.toPrecision(15));
  return Math.abs(shown) < 1e15 || !Number.isInteger(shown) ? String(shown) : value.toExponential();
}
