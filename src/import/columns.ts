import { quoteValue } from '../input/explain-value.ts';
import type { Mistake } from './row.ts';

/** Names of columns without case, spaces, underscores and dashes, and the fields they mean. The last two are ignored. */
const fieldsByName = new Map([
  ['name', 'name'],
  ['categoryid', 'categoryId'],
  ['category', 'categoryId'],
  ['status', 'status'],
  ['id', 'id'],
  ['reason', 'reason'],
]);

/** The field that a column's name means, or undefined. */
export function findField(name: string): string | undefined {
  return fieldsByName.get(name.replace(/[\s_-]/g, '').toLowerCase());
}

/** What the header of a table says, per column: its name, and the field it means, undefined for a column without a name. */
export interface Header {
  readonly line: number;
  readonly names: readonly string[];
  readonly fields: readonly (string | undefined)[];
}

/** Reads the names of columns in any order and spelling; returns all that is wrong with them instead. */
export function readHeader(names: readonly string[], line: number): Header | readonly Mistake[] {
  const fields = names.map((name) => (name.trim() === '' ? undefined : (findField(name) ?? name)));
  if (!names.some((name) => findField(name) !== undefined)) {
    return [
      {
        line,
        reason: `must name the columns, such as name,category,status; it is: ${quoteValue(names.join(','))}`,
      },
    ];
  }
  const mistakes = names.flatMap((name, index) => checkColumn(fields, name, index, line));
  const missing = ['name', 'categoryId'].filter((field) => !fields.includes(field));
  const absent = missing.map((field) => ({
    line,
    reason: `has no ${field === 'name' ? 'name' : 'category'} column: add it`,
  }));
  const all = [...mistakes, ...absent];
  return all.length > 0 ? all : { line, names, fields };
}

function checkColumn(
  fields: Header['fields'],
  name: string,
  index: number,
  line: number,
): Mistake[] {
  const field = fields[index];
  if (field === undefined) return [];
  const place = { line, column: index + 1, field: name.trim() };
  if (findField(name) === undefined)
    return [
      {
        ...place,
        reason: 'is not a column of a pet: remove it, or rename it to name, category, or status',
      },
    ];
  return fields.indexOf(field) === index ? [] : [{ ...place, reason: 'is given twice' }];
}

/** The column of a field, from 1, by the name that the file gives it. */
export function locateColumn({ names, fields }: Header, field: string) {
  const index = fields.indexOf(field);
  return { column: index + 1, field: names[index]?.trim() ?? field };
}

/** The values of one row of a table by field, or what is wrong with its shape. Empty cells count as absent. */
export function readCells(
  cells: readonly unknown[],
  { fields, line: headerLine }: Header,
): Record<string, unknown> | string {
  const values: Record<string, unknown> = {};
  for (const [index, cell] of cells.entries()) {
    if (cell === '' || cell === null || cell === undefined) continue;
    const field = fields[index];
    if (index >= fields.length) {
      return `has more values than line ${headerLine} has columns: put text that contains a separator in quotation marks`;
    }
    if (field === undefined) {
      return `has ${quoteValue(cell)} in a column without a name: name it in line ${headerLine}, or remove it`;
    }
    values[field] = cell;
  }
  return values;
}
