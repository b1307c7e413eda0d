import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/**
 * Runs `work` between BEGIN and COMMIT, and returns its result only after the COMMIT succeeded.
 * Not by autocommit: there the driver's `INSERT … RETURNING` hides a commit that failed.
 */
export function transact<Result>(
  database: DatabaseSyncInstance,
  work: () => Result,
  kind: 'IMMEDIATE' | 'EXCLUSIVE' = 'IMMEDIATE',
): Result {
  database.exec(`BEGIN ${kind}`);
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
