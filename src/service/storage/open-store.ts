import type { Database } from './database-url.ts';
import type { OpenStoreOptions, Store } from './store.ts';

/**
 * Opens the store in a database, with the newest schema. What is not there yet is created. Engines are loaded when used.
 * @throws UserError `cli_database` when it cannot be opened: not a database of ours, newer, in use, unreachable
 */
export async function openStore(database: Database, options: OpenStoreOptions): Promise<Store> {
  if (database.kind === 'sqlite') {
    const { openSqliteStore } = await import('./sqlite/open-sqlite-store.ts');
    return await openSqliteStore(database, options);
  }
  const { openPostgresStore } = await import('./postgres/open-postgres-store.ts');
  return await openPostgresStore(database, options);
}
