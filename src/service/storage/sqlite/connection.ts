import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import * as v from 'valibot';
import { codeOf, messageOf, UserError } from '../../../errors.ts';
import { StoreError } from '../store.ts';

/** How long a statement waits for another program that is writing. */
const BUSY_TIMEOUT_MS = 2_000;

/**
 * A connection that reads integers as bigint. Two traps of the driver: it crashes when a connection is collected while its
 * statements live, so keep a reference; and a closed connection holds its files until its statements are collected.
 */
export type Connection = DatabaseSyncInstance;

/** Opens a file as it is; creates an empty one if there is none. */
export function connect(file: string): Connection {
  return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, readBigInts: true });
}

/** A finished COMMIT is on the disk: a write-ahead log, so that readers never wait, synced at every commit. */
export function makeDurable(connection: Connection): void {
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
}

/**
 * Runs `work` in a transaction and returns its result only after the COMMIT succeeded. Never by autocommit: there the
 * driver's `get` of an `INSERT … RETURNING` swallows a failed commit.
 */
export function transact<Result>(connection: Connection, work: () => Result): Result {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk, for one, has rolled back already.
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Moves the log into the database file, if possible, and closes. */
export function closeConnection(connection: Connection): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Nothing is lost: the log stays, and is read when the database is opened next.
  }
  connection.close();
}

/** A time, stored in milliseconds since the epoch. */
export const Time = v.pipe(
  v.bigint(),
  v.transform((milliseconds) => new Date(Number(milliseconds))),
);
export const OptionalTime = v.pipe(
  v.nullable(Time),
  v.transform((time) => time ?? undefined),
);

/** SQLite's primary result codes (sqlite.org/rescode.html) and what they mean to whoever runs the service. */
const reasons: Readonly<Record<number, string>> = {
  3: 'its file may not be read or written',
  5: 'another program is writing to it',
  6: 'another program is writing to it',
  8: 'it is read-only',
  10: 'the disk fails',
  11: 'it is damaged: restore a backup',
  13: 'the disk is full',
  14: 'its file cannot be opened or created',
  26: 'the file is not a SQLite database',
};
const IO_ERROR = 10;

/** What a failed statement means to callers of the port; a failure of this program stays as it is. */
export function toStoreError(error: unknown, file: string): unknown {
  const code = findCode(error);
  const reason = code === undefined ? undefined : findReason(code, file);
  if (reason === undefined) return error;
  // After a failed write or sync, a commit may still turn out to be on the disk.
  const isOutcomeUnknown = code === IO_ERROR;
  return new StoreError(`the database cannot be used: ${reason}`, {
    cause: error,
    isOutcomeUnknown,
  });
}

/** The same where a person is told. @param what failed, as a sentence without its end */
export function toUserError(error: unknown, what: string, file: string): unknown {
  const code = findCode(error);
  if (code === undefined && !(error instanceof Error && 'syscall' in error)) return error;
  const reason = findReason(code, file) ?? messageOf(error);
  return new UserError('cli_database', `${what}: ${reason}.`, { cause: error });
}

/** SQLite calls a read-only file system one of several things. */
function findReason(code: number | undefined, file: string): string | undefined {
  const isReadOnly = findFileProblem(path.dirname(file)) === 'EROFS';
  return isReadOnly ? 'its file system is read-only' : reasons[code ?? 0];
}

/** Why this user may not write a file or into a folder, as Node's error code; empty when it may. */
export function findFileProblem(file: string): string {
  try {
    accessSync(file, constants.W_OK);
    return '';
  } catch (error) {
    return codeOf(error);
  }
}

/** The files of a database: the others are beside the one that a symbolic link leads to. */
export function listFiles(file: string) {
  const target = existsSync(file) ? realpathSync(file) : file;
  return { database: file, log: `${target}-wal`, index: `${target}-shm`, lock: `${target}-lock` };
}

/** Extended result codes have the primary one in their low byte. */
export function findCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined;
  return Number(error.errcode) & 0xff;
}
