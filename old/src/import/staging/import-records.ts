import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { openLocalDatabase } from '../../files/open-local-database.ts';
import { Counts } from './staging.ts';

/** What is imported, and where to. */
const ImportSubject = v.object({
  id: v.string(),
  /** SHA-256 of the bytes, in hex. */
  hash: v.string(),
  environment: v.string(),
  /** The base URL. */
  url: v.string(),
  /** Absolute; null for stdin and pipes. */
  path: v.nullable(v.string()),
  rows: v.number(),
});
export type ImportSubject = v.InferOutput<typeof ImportSubject>;
export type ImportTarget = Pick<ImportSubject, 'environment' | 'url'>;

/** One import that was started from here. The counts are those of its end. */
const ImportRecord = v.object({
  ...ImportSubject.entries,
  /** Random; the idempotency key of a row is made of it and the row's number. */
  run: v.string(),
  finishedAt: v.nullable(v.number()),
  ...Counts.entries,
});
export type ImportRecord = v.InferOutput<typeof ImportRecord>;

/** The same content sent to another place, or under another name of it, is another import. */
export function identifyImport(hash: string, { environment, url }: ImportTarget): string {
  const text = [hash, environment, url].join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

const schema = `
  CREATE TABLE local.imports (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL, environment TEXT NOT NULL, url TEXT NOT NULL, path TEXT,
    rows INTEGER NOT NULL, run TEXT NOT NULL, finishedAt INTEGER,
    added INTEGER NOT NULL DEFAULT 0, rejected INTEGER NOT NULL DEFAULT 0, unknown INTEGER NOT NULL DEFAULT 0)`;

/** The one place by which a repeated import is recognized, so that a finished one leaves a row and no file. */
export function openImportRecords(file: string) {
  const loss =
    'without it no import that was started can be resumed, and a file that was imported before is imported again';
  const { prepare, transact, close } = openLocalDatabase({ file, schema, version: 1, loss });
  const find = prepare('SELECT * FROM imports WHERE id = ?');
  const needed = prepare(
    'SELECT * FROM imports WHERE finishedAt IS NULL OR (rejected + unknown > 0 AND finishedAt > ?)',
  );
  const byPath = prepare(
    `SELECT * FROM imports WHERE path = ? AND environment = ? AND url = ?
     ORDER BY rowid DESC LIMIT 1`,
  );
  const elsewhere = prepare(
    `SELECT * FROM imports WHERE hash = ? AND url = ? AND environment <> ?
     ORDER BY rowid DESC LIMIT 1`,
  );
  const put = prepare(
    `INSERT OR REPLACE INTO imports (id, hash, environment, url, path, rows, run)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING *`,
  );
  const finish = prepare(
    'UPDATE imports SET added = ?, rejected = ?, unknown = ?, finishedAt = ? WHERE id = ?',
  );
  const One = v.optional(ImportRecord);
  return {
    transact,
    find: (id: string) => v.parse(One, find.get(id)),
    /** Those that still have rows to send, or to report if they were finished after this time. */
    listNeeded: (after: Date) => v.parse(v.array(ImportRecord), needed.all(after.getTime())),
    /** The newest import of the file of this name into this place. */
    findByPath: (path: string, { environment, url }: ImportTarget) =>
      v.parse(One, byPath.get(path, environment, url)),
    /** The newest import of this content into the same service by another name of it. */
    findElsewhere: ({ hash, url, environment }: ImportSubject) =>
      v.parse(One, elsewhere.get(hash, url, environment)),
    put: ({ id, hash, environment, url, path, rows }: ImportSubject, run: string) =>
      v.parse(ImportRecord, put.get(id, hash, environment, url, path, rows, run)),
    finish(id: string, { added, rejected, unknown }: Counts, at: Date) {
      finish.run(added, rejected, unknown, at.getTime(), id);
    },
    close,
  };
}
