import { quoteValue } from '../input/explain-value.ts';
import type { Cell, TableRow } from '../input/workbook.ts';
import type { Field, Mistake, Places, RawRow } from './row.ts';

/** Names of columns without case and what separates words, and what they mean. */
const fieldsByName: ReadonlyMap<string, Field> = new Map([
  ['name', 'name'],
  ['categoryid', 'categoryId'],
  ['category', 'category'],
  ['status', 'status'],
  ['id', 'id'],
  ['reason', 'reason'],
]);

export function findField(name: string): Field | undefined {
  return fieldsByName.get(name.replace(/[\s\p{C}_-]/gu, '').toLowerCase());
}

interface Column {
  /** `A`, `B` … */
  readonly letters: string;
  /** As the file writes it. */
  readonly title: string;
  readonly field: Field | undefined;
}

export interface Header {
  readonly line: number;
  readonly columns: readonly Column[];
  readonly places: Places;
}

/** A title, an address and blank lines may stand above the header. */
const HEADER_LINES = 50;

/** The row that names most columns of a pet, the first of them; undefined where none names one. */
export function findHeader(rows: readonly TableRow[]): Header | undefined {
  let best: Header | undefined;
  for (const { line, cells } of rows.slice(0, HEADER_LINES)) {
    const columns = cells.map((cell, index) => {
      const title = toText(cell).trim();
      return { letters: toLetters(index + 1), title, field: findField(title) };
    });
    const places = findPlaces(columns);
    if (Object.keys(places).length > Object.keys(best?.places ?? {}).length)
      best = { line, columns, places };
  }
  return best;
}

function findPlaces(columns: readonly Column[]): Places {
  return Object.fromEntries(
    columns.flatMap(({ field, letters, title }) =>
      field === undefined ? [] : [[field, { column: letters, title }]],
    ),
  );
}

/** Whether a pet can be read from the columns. */
export function isComplete({ places }: Header): boolean {
  return places.name !== undefined && (places.category ?? places.categoryId) !== undefined;
}

export function checkHeader({ line, columns, places }: Header): Mistake[] {
  const twice = columns.filter(
    ({ field }, index) =>
      field !== undefined && columns.findIndex((other) => other.field === field) < index,
  );
  const isUncategorized = (places.category ?? places.categoryId) === undefined;
  return [
    ...twice.map(({ letters, title }) => ({
      ...{ line, column: letters, field: title },
      reason: 'is given twice: remove one of the two, or its name',
    })),
    ...(places.name === undefined ? [{ line, reason: 'has no name column: add it' }] : []),
    ...(isUncategorized ? [{ line, reason: 'has no category column: add it' }] : []),
  ];
}

/** Columns that are not a pet's and hold something: `column D (Remark)`. */
export function listOtherColumns(rows: readonly TableRow[], { line, columns }: Header): string[] {
  const below = rows.filter((row) => row.line > line);
  const width = below.reduce((most, { cells }) => Math.max(most, cells.length), columns.length);
  return Array.from({ length: width }, (_, index) => index).flatMap((index) => {
    const column = columns[index];
    if (column?.field !== undefined) return [];
    const isEmpty = !below.some(({ cells }) => toText(cells[index] ?? '').trim() !== '');
    const title = column?.title ? ` (${column.title})` : '';
    return isEmpty ? [] : [`column ${toLetters(index + 1)}${title}`];
  });
}

/** The values of one row of a table. Empty cells count as absent. */
export function readCells({ line, cells }: TableRow, { columns, places }: Header): RawRow {
  const values: Partial<Record<Field, unknown>> = {};
  for (const [index, { field }] of columns.entries()) {
    const cell = cells[index];
    if (field !== undefined && cell !== undefined && cell !== '') values[field] = cell;
  }
  return { line, values, places };
}

/** Whether a row repeats the header, as tables do that were put together. */
export function isHeaderAgain({ cells }: TableRow, { columns }: Header): boolean {
  return columns.every(({ title }, index) => toText(cells[index] ?? '').trim() === title);
}

export function isBlank({ cells }: TableRow): boolean {
  return !cells.some((cell) => typeof cell !== 'string' || /\S/.test(cell));
}

/** What a table without names of columns looks like. */
export function explainNoHeader({ line, cells }: TableRow): Mistake {
  const shown = quoteValue(cells.map(toText).join(','));
  return { line, reason: `must name the columns, such as name,category,status; it is: ${shown}` };
}

function toText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.shown;
}

/** `A` for 1, `AA` for 27; empty for 0. */
function toLetters(column: number): string {
  if (column === 0) return '';
  return toLetters(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));
}
