import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/** How long a statement waits for another program that is writing, in milliseconds. */
const BUSY_TIMEOUT_MS = 2_000;

/**
 * A connection on which a finished COMMIT is on the disk: a write-ahead log, so that readers never wait for a writer,
 * synced at every commit (SQLite's own default there is a sync per checkpoint, which may lose commits in a power cut).
 * The caller must hold on to the connection for as long as it uses a statement of it: the driver frees it otherwise.
 */
export function openConnection(path: string): DatabaseSyncInstance {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
