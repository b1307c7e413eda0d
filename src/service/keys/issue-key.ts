import { randomBytes } from 'node:crypto';
import { formatApiKey } from '../../contract/api-key.ts';
import type { ApiKeyRecord, KeyStore } from '../storage/store.ts';
import { hashApiKey } from './authenticator.ts';

export interface KeyRequest {
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date | undefined;
}

/** Creates a key and stores its hash. The key itself is returned and stored nowhere. */
export async function issueKey(
  store: Pick<KeyStore, 'createKey'>,
  { name, createdAt, expiresAt }: KeyRequest,
): Promise<{ key: string; record: ApiKeyRecord }> {
  const key = formatApiKey(randomBytes(32));
  const record = await store.createKey({ hash: hashApiKey(key), name, createdAt, expiresAt });
  return { key, record };
}
