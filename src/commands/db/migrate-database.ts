import type { Context } from '../../program/context/context.ts';
import { explainFailure } from '../serve/explain-failure.ts';

interface MigrateFlags {
  database?: string;
}

/** Creates or updates the tables of a store, as `serve` does when it starts with a user who may. @throws UserError */
export async function migrateDatabase(
  { terminal, variables, paths: { dataFolder } }: Context,
  { database }: MigrateFlags,
): Promise<void> {
  await explainFailure(async () => {
    const { resolveDatabase } = await import('../../service/settings.ts');
    const { hasStore, openStore } = await import('../../service/storage/databases.ts');
    const { maskDatabaseUrl } = await import('../../service/storage/database-engine.ts');
    const url = resolveDatabase({ flags: { database }, variables, dataFolder });
    const isNew = !(await hasStore(url));
    const store = await openStore(url, { isShared: true });
    await store.close();
    const shown = maskDatabaseUrl(url);
    terminal.notice(
      isNew ? `Created the tables in ${shown}` : `${shown} has the tables of this version`,
      { database: shown, created: isNew },
    );
  });
}
