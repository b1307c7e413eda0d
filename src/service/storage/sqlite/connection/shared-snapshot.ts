import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** How long reads share a snapshot, in milliseconds: a hundred of them or more under load, and no log waits for it. */
const LIFETIME_MS = 10;

export interface SharedSnapshot {
  read<Result>(work: () => Result): Result;
  /** Lets the next read see what was written meanwhile. */
  end(): void;
}

/**
 * One read transaction for the reads of a short while: to begin and end one takes SQLite 2.3 of the 3 µs of a lookup
 * by id, for it locks and unlocks by system calls, and several times that between requests, when no cache is warm.
 * Must be ended before a write of this program is reported, so that nobody who was told of it can miss it, before what
 * another program may have changed is read, and before the connection is closed.
 */
export function createSharedSnapshot(database: DatabaseSyncInstance): SharedSnapshot {
  let ending: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(ending);
    ending = undefined;
    // Some failures, of the disk among them, have ended it already.
    if (!database.isTransaction) return;
    try {
      database.exec('COMMIT');
    } catch {
      // A damaged page that was read makes the COMMIT fail once more, where nobody waits for it. Its reader was told.
      if (database.isTransaction) database.exec('ROLLBACK');
    }
  }

  return {
    end,
    read(work) {
      if (ending === undefined) {
        database.exec('BEGIN');
        ending = setTimeout(end, LIFETIME_MS);
      }
      return work();
    },
  };
}
