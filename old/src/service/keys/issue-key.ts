import { randomBytes } from 'node:crypto';
import { formatApiKey } from '../../contract/api-key.ts';
import type { ApiKeyRecord, KeyStore, NewApiKey } from '../storage/store.ts';
import { hashApiKey } from './authenticator.ts';

/** A new key. The key itself is stored nowhere. */
interface IssuedKey {
  readonly key: string;
  readonly record: ApiKeyRecord;
}

/** Creates a key and stores its hash. */
export async function issueKey(
  store: Pick<KeyStore, 'createKey'>,
  details: Omit<NewApiKey, 'hash'>,
): Promise<IssuedKey> {
  const key = formatApiKey(randomBytes(32));
  const record = await store.createKey({ ...details, hash: hashApiKey(key) });
  return { key, record };
}

interface Replacement {
  readonly former: ApiKeyRecord;
  readonly createdAt: Date;
  /** When the former key ends. */
  readonly endsAt: Date;
}

/**
 * Creates the successor of a key: the same name and access, valid for as long as that was made to be. Undefined when the
 * former key is not valid any more.
 */
export async function replaceKey(
  store: Pick<KeyStore, 'rotateKey'>,
  { former, createdAt, endsAt }: Replacement,
): Promise<IssuedKey | undefined> {
  const key = formatApiKey(randomBytes(32));
  const { id, name, access } = former;
  const lifetime = former.expiresAt && former.expiresAt.getTime() - former.createdAt.getTime();
  const expiresAt = lifetime === undefined ? undefined : new Date(createdAt.getTime() + lifetime);
  const successor = { hash: hashApiKey(key), name, access, createdAt, expiresAt };
  const record = await store.rotateKey({ id, endsAt, successor });
  return record === undefined ? undefined : { key, record };
}
