import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

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
