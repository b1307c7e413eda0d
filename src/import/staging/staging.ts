import * as v from 'valibot';
import { parseJson } from '../../contract/json.ts';
import { NewPet } from '../../contract/pet.ts';
import type { LocalDatabase } from '../../files/open-local-database.ts';
import { type ImportFormat, importFormats } from '../read/row.ts';
import { createAnnouncements } from './announcements.ts';
import { Counts, OtherOutcome } from './outcome.ts';
import { openStagingDatabase } from './staging-database.ts';

/** A row as it was staged. */
export interface StagedRow {
  number: number;
  line: number;
  pet: NewPet;
}

/** What became of a row in this run. */
interface RowOutcome {
  row: StagedRow;
  outcome: { kind: 'added'; id: bigint } | OtherOutcome;
}

/** A row that ended otherwise than added. */
interface OtherRow extends RowOutcome {
  outcome: OtherOutcome;
}

/** The rows of one import and what became of them. The database is locked against a second import until `close`. */
export interface Staging {
  format: ImportFormat;
  /** The line of column names of a CSV file; empty for other formats. */
  header: string;
  countOutcomes(): Counts;
  /** The next rows without an outcome beyond this row, ascending; few enough to hold in memory. */
  readUnsent(after: number): StagedRow[];
  /** The next rows beyond this one that ended otherwise than added. */
  readOthers(after: number): OtherRow[];
  /** The row as it was in the file. */
  readSource(row: number): string;
  /** Stores outcomes, and that rows up to `announced` may be sent from `at` on: durable when it returns. */
  record(outcomes: readonly RowOutcome[], announced?: { upTo: number; at: Date }): void;
  /** Of the rows announced in this run, none beyond this one was sent. */
  retract(lastSent: number): void;
  /** Gives up rows that may have been sent before this time and have no outcome. */
  giveUp(before: Date, reason: string): void;
  /** Forgets the rows that were added. */
  removeAdded(): void;
  close(): void;
}

const PAGE_ROWS = 500;

const File = v.object({ format: v.picklist(importFormats), header: v.string() });
const Row = v.object({ number: v.number(), line: v.number(), body: v.string() });
const Other = v.object({ ...Row.entries, detail: v.string() });
const Source = v.object({ source: v.string() });

/** @throws DatabaseLockedError when another process is importing from it. */
export function openStaging(file: string): Staging {
  const database = openStagingDatabase(file);
  const announcements = createAnnouncements(database);
  const unsent = database.prepare(
    `SELECT number, line, body FROM rows LEFT JOIN outcomes ON row = number
     WHERE number > ? AND row IS NULL ORDER BY number LIMIT ${PAGE_ROWS}`,
  );
  const others = database.prepare(
    `SELECT number, line, body, detail FROM outcomes JOIN rows ON number = row
     WHERE row > ? AND outcome <> 'added' ORDER BY row LIMIT ${PAGE_ROWS}`,
  );
  const source = database.prepare('SELECT source FROM rows WHERE number = ?');
  const insert = database.prepare('INSERT INTO outcomes VALUES (?, ?, ?, ?)');
  return {
    ...v.parse(File, database.prepare('SELECT format, header FROM file').get()),
    countOutcomes: () => countOutcomes(database),
    readUnsent: (after) => v.parse(v.array(Row), unsent.all(after)).map(toStagedRow),
    readOthers: (after) =>
      v.parse(v.array(Other), others.all(after)).map(({ detail, ...row }) => ({
        row: toStagedRow(row),
        outcome: v.parse(OtherOutcome, JSON.parse(detail)),
      })),
    readSource: (row) => v.parse(Source, source.get(row)).source,
    record(outcomes, announced) {
      database.transact(() => {
        for (const { row, outcome } of outcomes) {
          if (outcome.kind === 'added') insert.run(row.number, 'added', outcome.id, null);
          else insert.run(row.number, outcome.kind, null, JSON.stringify(outcome));
        }
        if (announced) announcements.add(announced.upTo, announced.at);
      });
    },
    retract: (lastSent) => database.transact(() => announcements.retract(lastSent)),
    giveUp: (before, reason) =>
      giveUpUpTo(database, announcements.findHighest(before), { kind: 'unknown', reason }),
    removeAdded: () => removeAdded(database),
    close: database.close,
  };
}

function toStagedRow({ number, line, body }: v.InferOutput<typeof Row>): StagedRow {
  return { number, line, pet: v.parse(NewPet, parseJson(body)) };
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

function giveUpUpTo(database: LocalDatabase, row: number, outcome: OtherOutcome): void {
  const giveUp = database.prepare(
    `INSERT INTO outcomes SELECT number, ?, NULL, ? FROM rows
     WHERE number <= ? AND number NOT IN (SELECT row FROM outcomes)`,
  );
  database.transact(() => giveUp.run(outcome.kind, JSON.stringify(outcome), row));
}

function removeAdded(database: LocalDatabase): void {
  database.transact(() => {
    database.exec(`
      DELETE FROM rows WHERE number IN (SELECT row FROM outcomes WHERE outcome = 'added');
      DELETE FROM outcomes WHERE outcome = 'added'`);
  });
  database.exec('VACUUM local');
}
