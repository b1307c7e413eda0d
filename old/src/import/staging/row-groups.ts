import * as v from 'valibot';
import { parseInt64 } from '../../contract/int64.ts';
import { NewPet } from '../../contract/pet.ts';
import type { LocalDatabase } from '../../files/open-local-database.ts';
import type { GoodRow } from '../read/row.ts';

/** Rows of one record: the database takes longer for a record, and for each value, than for the text of many rows. */
const GROUP_ROWS = 500;

/** A group of this length takes no more rows: every reader has a whole group in memory, several times over. */
const GROUP_LENGTH = 256 * 1024;

/**
 * Number, line, the row as it is written in the file; name, categoryId and status of the pet. categoryId is text: as a
 * number of JSON it would lose digits.
 */
const StoredRow = v.tuple([
  v.number(),
  v.number(),
  v.string(),
  v.string(),
  v.string(),
  v.nullable(v.string()),
]);
type StoredRow = v.InferOutput<typeof StoredRow>;

/** `last` is the number of the last row. */
const Group = v.object({
  last: v.number(),
  rows: v.pipe(v.string(), v.parseJson(), v.array(StoredRow)),
});

/** Writes rows in the order of their numbers; the last ones are written by `flush`. */
export function createGroupWriter(database: LocalDatabase) {
  const insert = database.prepare('INSERT INTO groups VALUES (?, ?)');
  let group: StoredRow[] = [];
  let length = 0;
  const flush = () => {
    const [last] = group.at(-1) ?? [];
    if (last !== undefined) insert.run(last, JSON.stringify(group));
    group = [];
    length = 0;
  };
  return {
    add({ number, line, pet, source }: GoodRow): void {
      const { name, categoryId, status = null } = pet;
      group.push([number, line, source, name, String(categoryId), status]);
      length += source.length + name.length;
      if (group.length === GROUP_ROWS || length >= GROUP_LENGTH) flush();
    },
    flush,
  };
}

/** Some rows by their numbers, ascending. */
export interface RowGroup {
  last: number;
  rows: Map<number, StoredRow>;
}

/** Returns what reads the group of the row with this number, or the next group if that row is not there. */
export function createGroupReader(database: LocalDatabase) {
  const next = database.prepare(
    'SELECT last, rows FROM groups WHERE last >= ? ORDER BY last LIMIT 1',
  );
  return (number: number): RowGroup | undefined => {
    const group = v.parse(v.optional(Group), next.get(number));
    return group && { last: group.last, rows: new Map(group.rows.map((row) => [row[0], row])) };
  };
}

export function parseStoredRow([number, line, source, name, digits, status]: StoredRow): GoodRow {
  const pet = { name, categoryId: parseInt64(digits), ...(status !== null && { status }) };
  return { number, line, source, pet: v.parse(NewPet, pet) };
}
