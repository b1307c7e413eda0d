import type { Context } from '../../program/context/context.ts';
import { type DatabaseOptions, withDatabase } from './with-database.ts';

/** Creates or updates the tables of a store, as `serve` does when it starts with a user who may. @throws UserError */
export async function migrateDatabase(context: Context, options: DatabaseOptions): Promise<void> {
  await withDatabase(context, options, async (url, database) => {
    const { hasStore, openStore } = await import('../../service/storage/databases.ts');
    const isNew = !(await hasStore(url));
    const store = await openStore(url, { isShared: true });
    await store.close();
    const message = isNew
      ? `Created the tables in ${database}`
      : `${database} has the tables of this version`;
    context.terminal.notice(message, { database, created: isNew });
  });
}
