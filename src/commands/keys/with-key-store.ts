import type { Context } from '../../program/context/context.ts';
import { explainFailure } from '../serve/explain-failure.ts';

type KeyStore = import('../../service/storage/store.ts').KeyStore;

/** Where the keys are, as every verb of this group takes it. */
export interface KeysOptions {
  database?: string;
}

/**
 * Gives `work` the API keys that `petstore serve` would use with the same settings, whether it is running or not, and the
 * URL of their database as it may be shown. Closes the database afterwards.
 * @throws UserError
 */
export async function withKeyStore<Result>(
  { variables, paths }: Context,
  { database }: KeysOptions,
  work: (keys: { store: KeyStore; database: string }) => Promise<Result>,
): Promise<Result> {
  return await explainFailure(async () => {
    const { resolveDatabase } = await import('../../service/settings.ts');
    const { openStore } = await import('../../service/storage/databases.ts');
    const { maskDatabaseUrl } = await import('../../service/storage/database-engine.ts');
    const { dataFolder } = paths;
    const url = resolveDatabase({ flags: { database }, variables, dataFolder });
    const store = await openStore(url, { isShared: true });
    try {
      return await work({ store, database: maskDatabaseUrl(url) });
    } finally {
      await store.close();
    }
  });
}
