import * as v from 'valibot';
import { stringifyJson } from '../contract/json.ts';
import { encodeNewPet, type NewPet } from '../contract/pet.ts';
import { type LocalDatabase, openLocalDatabase } from '../files/open-local-database.ts';
import {
  type AddEntry,
  type AddResult,
  Entry,
  type ImportResult,
  type ImportSubject,
  notYetKnown,
} from './entry.ts';

/** Where a write goes. */
export interface HistoryTarget {
  environment: string;
  url: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_AGE_MS = 90 * DAY_MS;

/** More entries than a person can read; those of unknown outcome stay for longer, to be settled. */
const bounds = { known: 10_000, all: 20_000 };

/** Another process writes for milliseconds; nobody waits for one that is stopped halfway. */
const TIMEOUT_MS = 2_000;

/** Numbers are not used again, as people write them down. `subject` and `result` are JSON. */
const schema = `
  CREATE TABLE local.entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, environment TEXT NOT NULL, url TEXT NOT NULL,
    command TEXT NOT NULL, key TEXT NOT NULL, subject TEXT NOT NULL, outcome TEXT NOT NULL, result TEXT NOT NULL);
  CREATE INDEX local.entries_at ON entries (at);
  CREATE INDEX local.entries_key ON entries (key);
  CREATE INDEX local.entries_outcome ON entries (outcome) WHERE outcome = 'unknown'`;

const columns = 'id, at, environment, url, command, key, subject, outcome, result';

export type History = ReturnType<typeof openHistory>;

/**
 * Opens the record of the adds and imports made from this machine, which any number of processes may have open.
 * @throws UserError `cli_file` when it cannot be used.
 */
export function openHistory(file: string, { known, all } = bounds) {
  const loss = 'it holds what was added from this machine; without it, only that record is lost';
  const database = openLocalDatabase({
    ...{ file, schema, version: 1, loss },
    ...{ hasLog: true, timeout: TIMEOUT_MS },
  });
  const forget = (now: Date, newest: number) => prune(database, now, newest - known, newest - all);
  return { ...openWriter(database, forget), ...openReader(database), close: database.close };
}

function openWriter(database: LocalDatabase, forget: (now: Date, newest: number) => void) {
  const insert = database.prepare(
    `INSERT INTO entries (at, environment, url, command, key, subject, outcome, result)
     VALUES (?, ?, ?, ?, ?, ?, 'unknown', ?) RETURNING id`,
  );
  const put = (command: Entry['command'], key: string, target: HistoryTarget, at: Date) => {
    const { environment, url } = target;
    return (subject: string) => {
      const result = stringifyJson(notYetKnown[command]);
      const row = insert.get(at.getTime(), environment, url, command, key, subject, result);
      const { id } = v.parse(Inserted, row);
      forget(at, id);
      return id;
    };
  };
  return {
    /** Records an add that is about to be sent; it is on the disk when this returns. Returns its number. */
    recordAdd: (pet: NewPet, key: string, target: HistoryTarget, at: Date): number =>
      database.transact(() => put('add', key, target, at)(encodeNewPet(pet))),
    /** Records an import whose rows are about to be sent, or has the line of its earlier run say that it goes on. */
    recordImport: (subject: ImportSubject, run: string, target: HistoryTarget, at: Date): number =>
      database.transact(
        () => resume(database, run) ?? put('import', run, target, at)(JSON.stringify(subject)),
      ),
    complete: (id: number, result: AddResult | ImportResult): void =>
      complete(database, id, result),
  };
}

const Inserted = v.object({ id: v.number() });

/** An import is one line, whatever runs it takes. */
function resume(database: LocalDatabase, run: string): number | undefined {
  const resumed = database.prepare(
    `UPDATE entries SET outcome = 'unknown' WHERE command = 'import' AND key = ? RETURNING id`,
  );
  return v.parse(v.optional(Inserted), resumed.get(run))?.id;
}

/**
 * Stores how a write ended. What is known stays: another process may have settled it meanwhile. Not synced: after a power
 * cut the outcome is unknown again, which is safe, and nobody waits for the disk a second time.
 */
function complete(database: LocalDatabase, id: number, result: AddResult | ImportResult): void {
  // What was added under an idempotency key was added by every write of the same pet with this key.
  const same =
    result.outcome === 'applied'
      ? '(key, url, subject) IN (SELECT key, url, subject FROM entries WHERE id = ?)'
      : 'id = ?';
  const update = database.prepare(
    `UPDATE entries SET outcome = ?, result = ? WHERE outcome = 'unknown' AND ${same}`,
  );
  database.exec('PRAGMA local.synchronous = NORMAL');
  try {
    database.transact(() => update.run(result.outcome, stringifyJson(result), id));
  } finally {
    database.exec('PRAGMA local.synchronous = EXTRA');
  }
}

/** Forgets what is too old, and of too many those up to a number, the known ones first. */
function prune(database: LocalDatabase, now: Date, known: number, all: number): void {
  database
    .prepare(`DELETE FROM entries WHERE at < ? OR id <= ? OR (id <= ? AND outcome <> 'unknown')`)
    .run(now.getTime() - MAX_AGE_MS, all, known);
}

/** Entries to look at for what was added lately. */
const RECENT = 100;

const Entries = v.array(Entry);
const First = v.object({ at: v.nullable(v.number()) });

function openReader(database: LocalDatabase) {
  const readAll = (where: string, ...values: (string | number)[]): Entry[] =>
    database.read(() =>
      v.parse(Entries, database.prepare(`SELECT ${columns} FROM entries ${where}`).all(...values)),
    );
  return {
    /** The newest first. */
    list: (since = new Date(0)) => readAll('WHERE at >= ? ORDER BY id DESC', since.getTime()),
    /** Of unknown outcome, and imports that were not finished; the oldest first. */
    listUnsettled: () =>
      readAll("WHERE outcome = 'unknown' OR result LIKE '%\"isComplete\":false%' ORDER BY id"),
    find: (id: number) => readAll('WHERE id = ?', id)[0],
    /** Pets that were added to this service, or may have been; the newest first. */
    listRecentAdds: (url: string): AddEntry[] =>
      readAll(
        `WHERE command = 'add' AND url = ? AND outcome IN ('applied', 'unknown')
         ORDER BY id DESC LIMIT ${RECENT}`,
        url,
      ).filter((entry) => entry.command === 'add'),
    /** When the idempotency key of an add was first sent to this service from here. */
    findFirstUse: ({ key, url, at }: AddEntry): Date =>
      database.read(() => {
        const first = database.prepare(
          'SELECT min(at) AS at FROM entries WHERE key = ? AND url = ?',
        );
        return new Date(v.parse(First, first.get(key, url)).at ?? at);
      }),
  };
}
