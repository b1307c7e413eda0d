import * as v from 'valibot';
import { parseInt64 } from '../contract/int64.ts';
import { NewPet } from '../contract/pet.ts';
import { explainValue, lostLetters } from '../input/explain-value.ts';
import type { Mistake, PetRow, RawRow, RowReader } from './row.ts';

/** The rows of a file, each held to the contract, or all that is wrong with it. */
export async function* readPetRows(
  reader: RowReader,
): AsyncGenerator<readonly (PetRow | Mistake)[], void> {
  let number = 0;
  for await (const rows of reader.read()) {
    yield rows.flatMap((row) => {
      number += 1;
      return 'reason' in row ? [row] : checkRow(reader, row, number);
    });
  }
}

/** The rows of a file that was checked. */
export async function* readGoodRows(reader: RowReader): AsyncGenerator<PetRow, void> {
  for await (const rows of readPetRows(reader)) {
    for (const row of rows) {
      if ('reason' in row) throw new Error(`Line ${row.line} ${row.reason}`);
      yield row;
    }
  }
}

/** Integers may be text, also `7.0`; a status may have any case; an id and the reason of a refused row are ignored. */
function checkRow(reader: RowReader, row: RawRow, number: number): (PetRow | Mistake)[] {
  const { id, reason, status, ...rest } = row.values;
  const values: Record<string, unknown> = rest;
  if ('categoryId' in values) values.categoryId = readInteger(values.categoryId);
  if (status !== undefined && status !== null) values.status = readStatus(status);
  // A field is explained by its value, so that one issue says all about it.
  const parsed = v.safeParse(NewPet, values, { abortPipeEarly: true });
  if (!parsed.success) return parsed.issues.map((issue) => toMistake(reader, row, issue));
  const { output: pet } = parsed;
  if (pet.name.includes('\uFFFD')) return [mistakeAt(reader, row, 'name', lostLetters)];
  return [{ number, line: row.line, pet, hasId: id !== undefined }];
}

/** `7`, and `7.0` or `7,0` as spreadsheets write it; `7.000` may be seven thousand. */
function readInteger(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const [, digits] = /^\s*(-?\d+)(?:[.,]0{1,2})?\s*$/.exec(value) ?? [];
  return (digits && parseInt64(digits)) ?? value;
}

function readStatus(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value;
}

function toMistake(reader: RowReader, row: RawRow, issue: v.BaseIssue<unknown>): Mistake {
  const field = String(issue.path?.[0]?.key);
  const isKnown = Object.hasOwn(NewPet.entries, field);
  const reason = isKnown ? explainValue(field, row.values[field]) : unknownField;
  return mistakeAt(reader, row, field, reason);
}

const unknownField = 'is not a field of a pet: remove it, or name it name, categoryId, or status';

function mistakeAt(reader: RowReader, row: RawRow, field: string, reason: string): Mistake {
  return { line: row.line, ...reader.locate(row, field), reason };
}
