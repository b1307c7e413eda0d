import { openStore } from '../open-store.ts';
import { resolveDatabase, type SettingSources } from '../settings.ts';
import type { KeyStore } from '../store.ts';

/** Opens the keys of the database that `petstore serve` would run on with the same settings, beside it. @throws StoreOpenError */
export async function openKeyStore(sources: SettingSources): Promise<KeyStore> {
  return await openStore(resolveDatabase(sources), { isBeside: true });
}
