import { resolveDatabase, type SettingSources } from '../settings.ts';
import { openStore } from '../storage/databases.ts';
import type { KeyStore } from '../storage/store.ts';

/** Opens the keys of the database that `petstore serve` would run on with the same settings, beside it. @throws StoreOpenError */
export async function openKeyStore(sources: SettingSources): Promise<KeyStore> {
  return await openStore(resolveDatabase(sources), { isShared: true });
}
