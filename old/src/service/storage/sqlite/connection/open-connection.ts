import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/** How long a statement waits for another program that is writing, in milliseconds. */
export const BUSY_TIMEOUT_MS = 2_000;

/**
 * A connection that reads integers as bigint. Two traps of the driver: code that uses its statements must keep a
 * reference to it too, since it is freed when only they are left; and statements cannot be finalized, so after `close`
 * the files stay open until the statements are collected or the thread ends.
 */
export type Connection = DatabaseSyncInstance;

/**
 * Opens a connection on which a finished COMMIT is on the disk: a write-ahead log, so that readers never wait for a
 * writer, synced at every commit (by default, the driver's build of SQLite syncs such a log at checkpoints only:
 * a power cut may then lose commits).
 */
export function openConnection(path: string): Connection {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readBigInts: true });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Moves the log into the database file, if possible, and closes. */
export function closeConnection(database: Connection): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Nothing is lost: the log stays and is read when the database is opened next.
  }
  database.close();
}
