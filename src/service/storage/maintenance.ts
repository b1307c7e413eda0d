import { UserError } from '../../errors.ts';
import type { Database } from './database-url.ts';
import type { StoreSummary } from './store.ts';

/** Reads all of a SQLite store, which may be in use, and changes nothing. @throws UserError when it is damaged */
export async function checkDatabase(database: Database): Promise<StoreSummary> {
  if (database.kind === 'postgres') throw refusePostgres('checked', 'pg_amcheck');
  const { checkSqliteDatabase } = await import('./sqlite/maintain.ts');
  return checkSqliteDatabase(database);
}

/** Copies a SQLite store, which may be in use, as it is at one moment into a new file. @throws UserError */
export async function backUp(database: Database, target: string): Promise<StoreSummary> {
  if (database.kind === 'postgres') throw refusePostgres('backed up', 'pg_dump');
  const { backUpSqliteDatabase } = await import('./sqlite/maintain.ts');
  return backUpSqliteDatabase(database, target);
}

function refusePostgres(done: string, tool: string): UserError {
  return new UserError('cli_usage', `A PostgreSQL database is ${done} with its own ${tool}.`);
}
