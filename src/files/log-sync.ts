import { fdatasyncSync, openSync, statSync } from 'node:fs';
import path from 'node:path';
import { syncFolder, withDescriptor } from './write-file-atomically.ts';

/**
 * Syncs the write-ahead log of a database after a commit, in place of SQLite, which with every process syncs the folder,
 * too, and all that is known of the file: for a log that is written again from its start, its bytes are enough. Created
 * before the database is opened, and so before a new log.
 */
export function createLogSync(database: string): () => void {
  const log = `${database}-wal`;
  // Whoever wrote to it synced its folder before anybody else could write.
  let isNamed = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0;
  return () => {
    withDescriptor(openSync(log, 'r+'), fdatasyncSync);
    if (!isNamed) syncFolder(path.dirname(log));
    isNamed = true;
  };
}
