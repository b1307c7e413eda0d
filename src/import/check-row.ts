import * as v from 'valibot';
import { parseInt64 } from '../contract/int64.ts';
import { NewPet } from '../contract/pet.ts';
import { explainValue, lostLetters, quoteValue } from '../input/explain-value.ts';
import type { Cell } from '../input/workbook.ts';
import type { Field, Mistake, PetRow, RawRow } from './row.ts';

/** Reads a category by its name; what is wrong with it is said in words behind the value. */
export type ReadCategory = (text: string) => { readonly id: bigint } | { readonly problem: string };

const petFields = ['name', 'categoryId', 'category', 'status'] as const;

/** Holds a row to the contract. Integers may be text, also `7.0`; a status may have any case. */
export function checkRow(
  row: RawRow,
  number: number,
  readCategory: ReadCategory,
): PetRow | readonly Mistake[] {
  const { line, values } = row;
  if (petFields.some((field) => isBroken(values[field])))
    return petFields.flatMap((field) => explainBroken(row, field));
  const { name, status } = values;
  const category = chooseCategory(values, readCategory);
  const fields: Record<string, unknown> = {};
  if (name !== undefined) fields.name = name;
  // A category that cannot be read stays what it is not: its mistake is told with the others of the row.
  if (category.id !== undefined) fields.categoryId = category.id;
  if (status !== undefined)
    fields.status = typeof status === 'string' ? status.trim().toLowerCase() : status;
  // A field is explained by its value, so that one issue says all about it.
  const parsed = v.safeParse(NewPet, fields, { abortPipeEarly: true });
  const others = parsed.success
    ? []
    : parsed.issues.flatMap((issue) => toMistake(row, issue, category));
  if (!parsed.success || category.problem !== undefined)
    return [
      ...others,
      ...(category.problem ? [mistakeAt(row, category.field, category.problem)] : []),
    ];
  const { output: pet } = parsed;
  if (pet.name.includes('\uFFFD')) return [mistakeAt(row, 'name', lostLetters)];
  return { number, line, pet };
}

interface CategoryReading {
  readonly id?: unknown;
  readonly problem?: string;
}

interface ChosenCategory extends CategoryReading {
  readonly field: Field;
}

/** Of a category number and a category in one row the number counts; they must not contradict each other. */
function chooseCategory(
  { categoryId, category }: RawRow['values'],
  readCategory: ReadCategory,
): ChosenCategory {
  const field = categoryId === undefined && category !== undefined ? 'category' : 'categoryId';
  const reading = readValue(categoryId ?? category, readCategory);
  const { id, problem } = reading;
  if (problem !== undefined) return { id, field, problem };
  if (categoryId === undefined || category === undefined) return { id, field };
  const other = readValue(category, readCategory);
  if (other.problem !== undefined || String(other.id) === String(reading.id))
    return { ...reading, field };
  const contradiction = `${quoteValue(category)} is not category ${id}, which the same row has`;
  return { id, problem: contradiction, field: 'category' };
}

/** `7`, and `7.0` or `7,0` as spreadsheets write it (`7.000` may be seven thousand); else a name. */
function readValue(value: unknown, readCategory: ReadCategory): CategoryReading {
  if (typeof value !== 'string') return { id: value };
  const text = value.trim();
  const id = parseInt64(text) ?? parseInt64(text.replace(/[.,]0{1,2}$/, ''));
  if (id !== undefined) return { id };
  const isWord = /\p{L}/u.test(text) && !/^-?\d(?:[.,]\d+)?E[+\d]/i.test(text);
  if (!isWord) return { problem: explainValue('categoryId', text) };
  const reading = readCategory(value);
  return 'id' in reading ? reading : { problem: `${quoteValue(value)} ${reading.problem}` };
}

/** Whether a value is that of a cell which has none. */
function isBroken(value: unknown): value is Exclude<Cell, string> {
  return typeof value === 'object' && value !== null && 'shown' in value && 'reason' in value;
}

function explainBroken(row: RawRow, field: Field): Mistake[] {
  const value = row.values[field];
  return isBroken(value) ? [mistakeAt(row, field, `${value.shown} ${value.reason}`)] : [];
}

/** A category with a problem of its own has its mistake already. */
function toMistake(row: RawRow, issue: v.BaseIssue<unknown>, category: ChosenCategory): Mistake[] {
  const name = issue.path?.[0]?.key;
  if (name !== 'categoryId') {
    const field = name === 'status' ? 'status' : 'name';
    return [mistakeAt(row, field, explainValue(field, row.values[field]))];
  }
  if (category.problem !== undefined) return [];
  const field = row.places.categoryId === undefined ? 'category' : 'categoryId';
  return [mistakeAt(row, field, explainValue('categoryId', row.values[field]))];
}

function mistakeAt({ line, places }: RawRow, field: Field, reason: string): Mistake {
  const { column, title = field } = places[field] ?? {};
  return { line, ...(column !== undefined && { column }), field: title, reason };
}
