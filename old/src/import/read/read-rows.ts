import * as v from 'valibot';
import { NewPet } from '../../contract/pet.ts';
import { didYouMean } from '../../errors.ts';
import { acceptTextValues } from './accept-text-values.ts';
import { explainIssue, onePerField } from './explain-issue.ts';
import type { ByteSource } from './read-bytes.ts';
import { readCsv } from './read-csv.ts';
import { readJson, readNdjson } from './read-json.ts';
import type { BadRow, GoodRow, ImportFormat, Problem, RawRow, ReadOptions } from './row.ts';

const readers = {
  csv: readCsv,
  json: readJson,
  ndjson: readNdjson,
} satisfies Record<ImportFormat, unknown>;

/**
 * Reads a file and holds each row to the contract, some rows at a time: to wait for each would take longer than to read it.
 * What `list` writes can be read: an id is ignored.
 */
export async function* readRows(
  source: ByteSource,
  format: ImportFormat,
  options: ReadOptions,
): AsyncGenerator<(GoodRow | BadRow)[], void, undefined> {
  let hasId = false;
  let number = 0;
  const check = (row: RawRow | BadRow) => {
    number += 1;
    if ('problems' in row) return row;
    if (dropId(row) && !hasId) {
      hasId = true;
      options.onNotice('The ids in the file are ignored: the service assigns new ones.');
    }
    return checkRow(row, number, source.isUtf8());
  };
  for await (const rows of readers[format](source, options)) yield rows.map(check);
}

function dropId({ value }: RawRow): boolean {
  return 'id' in value && Reflect.deleteProperty(value, 'id');
}

/** Holds a row to the contract's NewPet. `isUtf8` is false once bytes that are not characters were read. */
function checkRow(row: RawRow, number: number, isUtf8: boolean): GoodRow | BadRow {
  const { line, source, value } = row;
  const parsed = v.safeParse(NewPet, acceptTextValues(value), onePerField);
  if (!parsed.success) return { problems: parsed.issues.map((issue) => toProblem(row, issue)) };
  // The decoder puts U+FFFD in the place of a byte that is not a character.
  if (!isUtf8 && parsed.output.name.includes('\uFFFD')) {
    const reason =
      'has letters that are not saved as UTF-8: in Excel, save the file as "CSV UTF-8"';
    return { problems: [{ ...row.locate(row, 'name'), field: 'name', reason }] };
  }
  return { number, line, source, pet: parsed.output };
}

const fields = Object.keys(NewPet.entries);

function toProblem(row: RawRow, issue: v.BaseIssue<unknown>): Problem {
  const field = String(issue.path?.[0]?.key);
  const reason = explainIssue(field, issue);
  const hint = fields.includes(field) ? '' : didYouMean(field, fields);
  return { ...row.locate(row, field), field, reason: hint === '' ? reason : `${reason}.${hint}` };
}
