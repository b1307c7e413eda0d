import { randomBytes } from 'node:crypto';
import { formatApiKey } from '../../contract/api-key.ts';
import type { ApiKeyRecord, KeyStore, NewApiKey } from '../storage/store.ts';
import { hashApiKey } from './authenticator.ts';

/** Creates a key and stores its hash. The key itself is returned and stored nowhere. */
export async function issueKey(
  store: Pick<KeyStore, 'createKey'>,
  details: Omit<NewApiKey, 'hash'>,
): Promise<{ key: string; record: ApiKeyRecord }> {
  const key = formatApiKey(randomBytes(32));
  const record = await store.createKey({ ...details, hash: hashApiKey(key) });
  return { key, record };
}
