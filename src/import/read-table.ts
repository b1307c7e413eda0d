import { UserError } from '../errors.ts';
import { findSeparator, readCsv } from '../input/csv.ts';
import type { Cell, TableRow, VisibleSheet } from '../input/workbook.ts';
import {
  checkHeader,
  explainNoHeader,
  findField,
  findHeader,
  type Header,
  isBlank,
  isComplete,
  isHeaderAgain,
  listOtherColumns,
  readCells,
} from './columns.ts';
import type { Mistake, RawFile } from './row.ts';

/** Reads CSV (RFC 4180) whose columns are named; blank rows are skipped. */
export function readCsvFile(text: string): RawFile {
  const separator = findSeparator(text, (cell) => findField(cell) !== undefined);
  const records = readCsv(text, separator);
  const broken = records.filter((record) => 'reason' in record);
  const rows = records.filter((record) => 'cells' in record);
  const header = findHeader(rows);
  if (header === undefined) {
    const first = rows.find((row) => !isBlank(row));
    const none = first === undefined ? [] : [explainNoHeader(first)];
    return { otherColumns: [], warnings: [], rows: [...broken, ...none] };
  }
  const below = rows.filter(({ line }) => line > header.line);
  const misfits = below
    .map((row) => findMisfit(row, header, separator))
    .filter((mistake) => mistake !== undefined);
  return withMistakes(readTable(below, header), [...broken, ...misfits]);
}

/** A row in which a separator or a line break is part of a value by mistake, since it would hide a value or a row. */
function findMisfit({ line, cells }: TableRow, header: Header, separator: string) {
  const width = header.columns.length;
  if (cells.length > width && cells.slice(width).some((cell) => cell !== '')) {
    const reason = `has more values than line ${header.line} has columns: put text that contains a separator in quotation marks`;
    return { line, reason };
  }
  const isHiding = (cell: Cell) =>
    typeof cell === 'string' && /[\r\n]/.test(cell) && cell.split(separator).length >= width;
  if (width === 1 || !cells.some(isHiding)) return undefined;
  return {
    line,
    reason: 'has other rows within one value: remove the quotation mark in front of them',
  };
}

/** Puts what is wrong with rows as a whole in their places. */
function withMistakes(file: RawFile, mistakes: readonly Mistake[]): RawFile {
  if (mistakes.length === 0) return file;
  const lines = new Set(mistakes.map(({ line }) => line));
  const others = file.rows.filter(({ line }) => !lines.has(line));
  return { ...file, rows: [...others, ...mistakes].sort((one, other) => one.line - other.line) };
}

/**
 * Reads the first sheet that names a name and a category column; others that hold something are named.
 * @throws UserError `cli_invalid_input` when there is none.
 */
export function readSheets(sheets: readonly VisibleSheet[], name: string): RawFile {
  const found = sheets.flatMap((sheet) => {
    const header = findHeader(sheet.rows);
    return header === undefined ? [] : [{ sheet, header }];
  });
  const best = found.find(({ header }) => isComplete(header));
  if (best === undefined) throw refuseSheets(sheets, name);
  const { sheet, header } = best;
  const file = readTable(sheet.rows, header);
  const hidden = file.rows.filter(({ line }) => sheet.hiddenLines.has(line)).length;
  const others = sheets.filter((other) => other !== sheet && other.rows.length > 0);
  const warnings = [
    ...(hidden > 0
      ? [`${hidden} of the rows ${hidden === 1 ? 'is' : 'are'} hidden or filtered out in ${name}.`]
      : []),
    ...(others.length > 0
      ? [
          `Only the sheet ${sheet.name} is read, not ${others.map((other) => other.name).join(', ')}.`,
        ]
      : []),
  ];
  return { ...file, warnings };
}

function refuseSheets(sheets: readonly VisibleSheet[], name: string): UserError {
  const names = sheets.filter(({ rows }) => rows.length > 0).map((sheet) => sheet.name);
  const message =
    names.length === 0
      ? `${name} has no rows.`
      : `${name} has no sheet with a name and a category column.`;
  const details = [
    `the sheets with rows are ${names.join(', ')}`,
    'a row of the sheet must name the columns: name, category, status',
  ];
  return new UserError('cli_invalid_input', message, {
    details: names.length === 0 ? [] : details,
  });
}

function readTable(rows: readonly TableRow[], header: Header): RawFile {
  const below = rows.filter((row) => row.line > header.line);
  const pets = below
    .filter((row) => !isBlank(row) && !isHeaderAgain(row, header))
    .map((row) => readCells(row, header));
  return {
    // Without such a column every row would be a mistake.
    rows: isComplete(header) ? [...checkHeader(header), ...pets] : checkHeader(header),
    otherColumns: listOtherColumns(below, header),
    warnings: [],
  };
}
