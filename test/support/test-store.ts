import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { formatApiKey } from '../../src/contract/api-key.ts';
import type { KeyAccess } from '../../src/contract/headers.ts';
import { hashApiKey } from '../../src/service/api-keys.ts';
import { parseDatabaseUrl } from '../../src/service/storage/database-url.ts';
import { openStore } from '../../src/service/storage/open-store.ts';
import type { Store } from '../../src/service/storage/store.ts';
import { openTemporaryFolder } from './temporary-folder.ts';

interface TestKeyOptions {
  readonly name: string;
  readonly access?: KeyAccess;
  readonly expiresAt?: Date;
}

/** A store for one service, with a key that may write. */
export interface TestStore {
  readonly store: Store;
  readonly key: string;
  /** Another key. */
  createKey(options: TestKeyOptions): Promise<string>;
  /** Removes the folder of the new file; the store is closed by who uses it. */
  remove(): Promise<void>;
}

/** @param database a database URL; a new SQLite file unless given. */
export async function openTestStore(
  database?: string,
  clock = () => new Date(),
): Promise<TestStore> {
  const folder = await openTemporaryFolder();
  const url = database ?? `sqlite:${path.join(folder.path, 'petstore.db')}`;
  const store = await openStore(parseDatabaseUrl(url), { isExclusive: true });
  const createKey = async ({ name, access = 'write', expiresAt }: TestKeyOptions) => {
    const key = formatApiKey(randomBytes(32));
    await store.createKey({ name, access, expiresAt, createdAt: clock(), hash: hashApiKey(key) });
    return key;
  };
  return { store, key: await createKey({ name: 'test' }), createKey, remove: folder.remove };
}
