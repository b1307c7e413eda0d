import { UserError } from '../../errors.ts';
import type { Database } from './database-url.ts';
import { openStore } from './open-store.ts';
import type { StoreSummary } from './store.ts';

/** Whether anything of ours is there. @throws UserError `cli_database` when that cannot be found out */
export async function hasStore(database: Database): Promise<boolean> {
  if (database.kind === 'sqlite') {
    const { isMissing } = await import('./sqlite/open-database.ts');
    return !isMissing(database.file);
  }
  const { hasPostgresStore } = await import('./postgres/check-database.ts');
  return await hasPostgresStore(database);
}

/** @throws UserError `cli_database` where nothing of ours is there */
export async function requireStore(database: Database): Promise<void> {
  if (await hasStore(database)) return;
  throw new UserError('cli_database', `There is no pet store in ${database.shown}.`, {
    details: ['--database, or PETSTORE_SERVE_DATABASE, names the database of the service.'],
  });
}

/** Reads all of a store, which may be in use, and changes nothing. @throws UserError `cli_database` when it is damaged */
export async function checkDatabase(database: Database): Promise<StoreSummary> {
  await requireStore(database);
  if (database.kind === 'sqlite') {
    const { checkSqliteDatabase } = await import('./sqlite/check-database.ts');
    return checkSqliteDatabase(database);
  }
  const { checkPostgresDatabase } = await import('./postgres/check-database.ts');
  return await checkPostgresDatabase(database);
}

/** Creates or updates the tables; no service may be running on SQLite. Returns whether they were created. @throws UserError */
export async function migrateDatabase(database: Database): Promise<{ isNew: boolean }> {
  const isNew = !(await hasStore(database));
  const store = await openStore(database, { isExclusive: true });
  await store.close();
  return { isNew };
}

/** Copies a SQLite database, which may be in use, as it is at one moment into a new file. @throws UserError */
export async function backUp(database: Database, target: string): Promise<StoreSummary> {
  if (database.kind !== 'sqlite') {
    throw new UserError('cli_usage', 'A PostgreSQL database is backed up with pg_dump.');
  }
  await requireStore(database);
  const { backUpSqliteDatabase } = await import('./sqlite/back-up.ts');
  return backUpSqliteDatabase(database, target);
}
