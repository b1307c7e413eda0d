import type { ClientConfig } from 'pg';
import { messageOf } from '../../../../errors.ts';
import { maskDatabaseUrl } from '../../database-engine.ts';
import { StoreOpenError, StoreUnavailableError } from '../../store.ts';
import { hasSchema, migrate } from '../schema/migrations.ts';
import { findReason } from './failure-reason.ts';
import { parseDatabaseUrl } from './parse-database-url.ts';

/** Brings a database to the schema of this program and returns how to connect to it. @throws StoreOpenError */
export async function openDatabase(url: string): Promise<ClientConfig> {
  return await explainOpening(url, async (config) => {
    await migrate(config);
    return config;
  });
}

/** Whether a database has the tables of a store, of any version. @throws StoreOpenError */
export async function hasStore(url: string): Promise<boolean> {
  return await explainOpening(url, hasSchema);
}

/** Runs `work` on a database and says in the operator's words why it could not be done. @throws StoreOpenError */
export async function explainOpening<Result>(
  url: string,
  work: (config: ClientConfig) => Promise<Result>,
): Promise<Result> {
  const config = parseDatabaseUrl(url);
  try {
    return await work(config);
  } catch (error) {
    if (error instanceof StoreOpenError) throw error;
    throw new StoreOpenError(
      `the database ${maskDatabaseUrl(url)} cannot be opened: ${describeFailure(error)}`,
      { cause: error },
    );
  }
}

/** An error of the store says what failed; what to do about it is known of its cause. */
function describeFailure(error: unknown): string {
  if (error instanceof StoreUnavailableError) return findReason(error.cause) ?? error.message;
  return findReason(error) ?? `it sent an unexpected response (${messageOf(error)})`;
}
