import { resolveDatabase, type SettingSources } from '../settings.ts';
import { openStore } from '../storage/databases.ts';
import { maskDatabaseUrl } from '../storage/mask-database-url.ts';
import type { KeyStore } from '../storage/store.ts';

export interface OpenKeyStore {
  readonly store: KeyStore;
  /** The database URL without its password. */
  readonly database: string;
}

/** Opens the API keys that `petstore serve` would use with the same settings, whether it is running or not. @throws StoreOpenError */
export async function openKeyStore(sources: SettingSources): Promise<OpenKeyStore> {
  const url = resolveDatabase(sources);
  const store = await openStore(url, { isShared: true });
  return { store, database: maskDatabaseUrl(url) };
}
