import type { Connection } from './open-connection.ts';

/** How long reads share a snapshot, in milliseconds: under load many do, and the log is never held up for long. */
const LIFETIME_MS = 10;

export interface SharedSnapshot {
  read<Result>(work: () => Result): Result;
  /** After it, the next read sees what was written meanwhile. */
  end(): void;
}

/**
 * One read transaction for all reads of a short time, since SQLite starts and ends each with system calls; for speed,
 * see bench/README.md. It must be ended before a write of this program is reported, so that whoever knows of the write
 * also reads it, before what another program may have changed is read, and before the connection is closed.
 */
export function createSharedSnapshot(database: Connection): SharedSnapshot {
  let ending: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(ending);
    ending = undefined;
    // Some failures, of the disk among them, have ended it already.
    if (!database.isTransaction) return;
    try {
      database.exec('COMMIT');
    } catch {
      // A damaged page that was read makes the COMMIT fail too, where nobody waits for it; its reader got the error.
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
