import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { openLocalDatabase } from '../../files/open-local-database.ts';
import { Counts } from './outcome.ts';

const ImportRecord = v.object({
  id: v.string(),
  /** SHA-256 of the bytes, in hex. */
  hash: v.string(),
  environment: v.string(),
  /** The base URL. */
  url: v.string(),
  /** Absolute; null for stdin and pipes. */
  path: v.nullable(v.string()),
  rows: v.number(),
  /** Random; the idempotency key of a row is made of it and the row's number. */
  run: v.string(),
  finishedAt: v.nullable(v.number()),
  ...Counts.entries,
});
/** One import that was started from here. The counts are those of its end. */
export type ImportRecord = v.InferOutput<typeof ImportRecord>;

/** What is imported, and where to. */
export type ImportSubject = Pick<
  ImportRecord,
  'id' | 'hash' | 'environment' | 'url' | 'path' | 'rows'
>;
export type ImportTarget = Pick<ImportRecord, 'environment' | 'url'>;

/** The same content sent to another place, or under another name of it, is another import. */
export function identifyImport(hash: string, { environment, url }: ImportTarget): string {
  const text = [hash, environment, url].join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The one place by which a repeated import is recognized, so that a finished one leaves a row and no file. */
export interface ImportRecords {
  transact<Result>(work: () => Result): Result;
  find(id: string): ImportRecord | undefined;
  /** Those that still have rows to send or to report. */
  listNeeded(): ImportRecord[];
  /** The id of the newest import of this file into this place that is not finished. */
  findUnfinished(path: string, target: ImportTarget): string | undefined;
  put(record: ImportSubject & Pick<ImportRecord, 'run'>): void;
  finish(id: string, counts: Counts, at: Date): void;
  close(): void;
}

const schema = `
  CREATE TABLE local.imports (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL, environment TEXT NOT NULL, url TEXT NOT NULL, path TEXT,
    rows INTEGER NOT NULL, run TEXT NOT NULL, finishedAt INTEGER,
    added INTEGER NOT NULL DEFAULT 0, rejected INTEGER NOT NULL DEFAULT 0, unknown INTEGER NOT NULL DEFAULT 0)`;

export function openImportRecords(file: string): ImportRecords {
  const database = openLocalDatabase({ file, schema, version: 1 });
  const find = database.prepare('SELECT * FROM imports WHERE id = ?');
  const needed = database.prepare(
    'SELECT * FROM imports WHERE finishedAt IS NULL OR rejected + unknown > 0',
  );
  const unfinished = database.prepare(
    `SELECT * FROM imports WHERE path = ? AND environment = ? AND url = ? AND finishedAt IS NULL
     ORDER BY rowid DESC LIMIT 1`,
  );
  const put = database.prepare(
    `INSERT OR REPLACE INTO imports (id, hash, environment, url, path, rows, run)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const finish = database.prepare(
    'UPDATE imports SET added = ?, rejected = ?, unknown = ?, finishedAt = ? WHERE id = ?',
  );
  const One = v.optional(ImportRecord);
  return {
    transact: database.transact,
    find: (id) => v.parse(One, find.get(id)),
    listNeeded: () => v.parse(v.array(ImportRecord), needed.all()),
    findUnfinished: (path, { environment, url }) =>
      v.parse(One, unfinished.get(path, environment, url))?.id,
    put({ id, hash, environment, url, path, rows, run }) {
      put.run(id, hash, environment, url, path, rows, run);
    },
    finish(id, { added, rejected, unknown }, at) {
      finish.run(added, rejected, unknown, at.getTime(), id);
    },
    close: database.close,
  };
}

/** Whether rows of it are still to be sent or to be reported. */
export function isNeeded({ finishedAt, rejected, unknown }: ImportRecord): boolean {
  return finishedAt === null || rejected + unknown > 0;
}
