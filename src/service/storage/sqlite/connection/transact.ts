import type { Connection } from './open-connection.ts';

/**
 * Runs `work` between BEGIN and COMMIT, and returns its result only after the COMMIT succeeded.
 * Not by autocommit: there the driver's `INSERT … RETURNING` hides a commit that failed.
 */
export function transact<Result>(database: Connection, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // Some failures, a full disk among them, have rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
