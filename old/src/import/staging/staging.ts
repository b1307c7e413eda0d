import * as v from 'valibot';
import type { Pet } from '../../contract/pet.ts';
import { type LocalDatabase, openLocalDatabase } from '../../files/open-local-database.ts';
import { type GoodRow, importFormats } from '../read/row.ts';
import { type Announcement, createAnnouncements } from './announcements.ts';
import { createGroupReader, parseStoredRow, type RowGroup } from './row-groups.ts';

/** The service refused the row. */
const Rejection = v.object({
  kind: v.literal('rejected'),
  status: v.number(),
  code: v.string(),
  message: v.string(),
});

/** The row may or may not have been added, and is not sent again. */
const Unknown = v.object({ kind: v.literal('unknown'), reason: v.string() });

/** An outcome other than added, as it is stored. */
const OtherOutcome = v.variant('kind', [Rejection, Unknown]);
export type RowOutcome = { kind: 'added'; pet: Pet } | v.InferOutput<typeof OtherOutcome>;

/** How a row ended in this run, or in an earlier one when it was not added then. */
export interface RowResult {
  row: GoodRow;
  outcome: RowOutcome;
}

/** How many rows ended how. */
export const Counts = v.object({ added: v.number(), rejected: v.number(), unknown: v.number() });
export type Counts = v.InferOutput<typeof Counts>;

/**
 * `groups` are some rows each, a JSON array of them (row-groups.ts), by the number of the last one: what will be sent and
 * what it was in the file; `outcomes` what became of them. `announcements` are written ahead of the rows: from
 * `at` on, rows up to this one may have been sent, and after any crash none beyond the highest was.
 * `rejects` is the SHA-256 of the rejects file as it was last written.
 */
const schema = `
  CREATE TABLE local.file (format TEXT NOT NULL, header TEXT NOT NULL);
  CREATE TABLE local.groups (last INTEGER PRIMARY KEY, rows TEXT NOT NULL);
  CREATE TABLE local.outcomes (row INTEGER PRIMARY KEY, outcome TEXT NOT NULL, id INTEGER, detail TEXT);
  CREATE TABLE local.announcements (up_to INTEGER PRIMARY KEY, at INTEGER NOT NULL);
  CREATE TABLE local.rejects (hash TEXT NOT NULL)`;

/** Opens the staging database of one import for this process alone. @throws DatabaseLockedError */
export function openStagingDatabase(file: string): LocalDatabase {
  const loss =
    'it holds the rows of one import and what became of them; without it that import cannot be resumed';
  return openLocalDatabase({ file, schema, version: 3, isExclusive: true, loss });
}

const PAGE_ROWS = 500;

/** `header` is the line of column names of a CSV file; empty for other formats. */
const File = v.object({ format: v.picklist(importFormats), header: v.string() });
const Ended = v.object({ row: v.number() });
const Other = v.object({
  ...Ended.entries,
  detail: v.pipe(v.string(), v.parseJson(), OtherOutcome),
});
const Rejects = v.optional(v.object({ hash: v.string() }));

export type Staging = ReturnType<typeof openStaging>;

/**
 * Opens the rows of one import and what became of them, locked against a second import until `close`.
 * @throws DatabaseLockedError when another process is importing from it.
 */
export function openStaging(path: string) {
  const database = openStagingDatabase(path);
  const readGroup = createGroupReader(database);
  const ended = database.prepare('SELECT row FROM outcomes WHERE row BETWEEN ? AND ?');
  const others = database.prepare(
    `SELECT row, detail FROM outcomes WHERE row > ? AND outcome <> 'added'
     ORDER BY row LIMIT ${PAGE_ROWS}`,
  );
  const insert = database.prepare('INSERT INTO outcomes VALUES (?, ?, ?, ?)');
  const { announce, retract, giveUp } = createAnnouncements(database);
  const file = database.prepare('SELECT format, header FROM file');
  return {
    ...database.read(() => v.parse(File, file.get())),
    countOutcomes: () => database.read(() => countOutcomes(database)),
    /** The next rows without an outcome beyond this row, ascending; few enough to hold in memory. */
    readUnsent(after: number): GoodRow[] {
      for (let group = readGroup(after + 1); group; group = readGroup(group.last + 1)) {
        const { rows } = group;
        for (const { row } of v.parse(v.array(Ended), ended.all(after + 1, group.last)))
          rows.delete(row);
        const left = [...rows.values()].filter(([number]) => number > after);
        if (left.length > 0) return left.map(parseStoredRow);
      }
      return [];
    },
    /** The rows that ended otherwise than added, ascending. */
    *readOthers(): Generator<RowResult, void, undefined> {
      let group: RowGroup | undefined;
      for (let after = 0; ; ) {
        const page = v.parse(v.array(Other), others.all(after));
        if (page.length === 0) return;
        for (const { row: number, detail: outcome } of page) {
          if (group === undefined || group.last < number) group = readGroup(number);
          const row = group?.rows.get(number);
          if (row !== undefined) yield { row: parseStoredRow(row), outcome };
          after = number;
        }
      }
    },
    /** Stores outcomes, and which rows may be sent from now on: durable when it returns. */
    record(results: readonly RowResult[], announced?: Announcement): void {
      database.transact(() => {
        for (const { row, outcome } of results) {
          if (outcome.kind === 'added') insert.run(row.number, 'added', outcome.pet.id, null);
          else insert.run(row.number, outcome.kind, null, JSON.stringify(outcome));
        }
        if (announced) announce(announced);
      });
    },
    retract,
    giveUp,
    /** What a rejects file of this import held when it was last written. */
    findRejectsHash: () =>
      v.parse(Rejects, database.prepare('SELECT hash FROM rejects').get())?.hash,
    keepRejectsHash: (hash: string): void => keepRejectsHash(database, hash),
    /** Forgets the rows that were added. */
    removeAdded: (): void => removeAdded(database),
    close: database.close,
  };
}

function countOutcomes(database: LocalDatabase): Counts {
  return v.parse(
    Counts,
    database
      .prepare(
        `SELECT count(*) FILTER (WHERE outcome = 'added') AS added,
           count(*) FILTER (WHERE outcome = 'rejected') AS rejected,
           count(*) FILTER (WHERE outcome = 'unknown') AS unknown FROM outcomes`,
      )
      .get(),
  );
}

function keepRejectsHash(database: LocalDatabase, hash: string): void {
  const insert = database.prepare('INSERT INTO rejects VALUES (?)');
  database.transact(() => {
    database.exec('DELETE FROM rejects');
    insert.run(hash);
  });
}

function removeAdded(database: LocalDatabase): void {
  database.transact(() => {
    database.exec(`
      UPDATE groups SET rows = (
        SELECT json_group_array(json(value)) FROM json_each(rows)
        WHERE value ->> 0 NOT IN (SELECT row FROM outcomes WHERE outcome = 'added'));
      DELETE FROM groups WHERE rows = '[]';
      DELETE FROM outcomes WHERE outcome = 'added'`);
  });
  database.exec('VACUUM local');
}
