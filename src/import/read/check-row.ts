import * as v from 'valibot';
import { describeRule } from '../../contract/describe-issues.ts';
import { NewPet } from '../../contract/pet.ts';
import { didYouMean } from '../../errors.ts';
import type { Problem, RawRow, Row } from './row.ts';

/** The fields a row may hold. */
export const rowFields = Object.keys(NewPet.entries);

/** Holds a row to the contract's NewPet. `isUtf8` is false once bytes that are not characters were read. */
export function checkRow(raw: RawRow, isUtf8: boolean): Row {
  const { number, line, source, value, problems } = raw;
  if (problems !== undefined) return { number, line, problems };
  const parsed = v.safeParse(NewPet, value);
  if (!parsed.success) {
    return { number, line, problems: parsed.issues.map((issue) => toProblem(raw, issue)) };
  }
  // The decoder puts U+FFFD in the place of a byte that is not a character.
  if (!isUtf8 && parsed.output.name.includes('\uFFFD')) {
    const reason = 'holds bytes that are not UTF-8 (in Excel, save as "CSV UTF-8")';
    return { number, line, problems: [{ ...raw.locate('name'), field: 'name', reason }] };
  }
  return { number, line, source, pet: parsed.output };
}

function toProblem(raw: RawRow, issue: v.BaseIssue<unknown>): Problem {
  const key = issue.path?.[0]?.key;
  if (key === undefined) return { ...raw.locate(''), reason: describeRule(issue) };
  const field = String(key);
  const hint = rowFields.includes(field) ? '' : `.${didYouMean(field, rowFields)}`;
  return {
    ...raw.locate(field),
    field,
    reason: `${describeRule(issue)}${hint.replace(/^\.$/, '')}`,
  };
}
