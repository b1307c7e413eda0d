import { type Store, StoreOpenError } from './store.ts';

export interface OpenStoreOptions {
  /** For a command that works beside a running service, instead of being one. */
  readonly isBeside?: boolean;
}

/**
 * Opens the store that a database URL names: `sqlite:<path>`, or `sqlite::memory:` for one that ends with the process.
 * @throws StoreOpenError
 */
export async function openStore(
  url: string,
  { isBeside = false }: OpenStoreOptions = {},
): Promise<Store> {
  const path = /^sqlite:(.+)$/s.exec(url)?.[1];
  if (path === undefined) {
    throw new StoreOpenError(`--database: write sqlite:<path>, not ${JSON.stringify(url)}`);
  }
  const { openSqliteStore, openSqliteStoreBeside } = await import('./sqlite/open-sqlite-store.ts');
  return isBeside ? openSqliteStoreBeside(path) : openSqliteStore(path);
}
