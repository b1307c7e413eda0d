import { type Store, StoreOpenError } from './store.ts';

export interface OpenStoreOptions {
  /** For a command that works beside a running service, instead of being one. */
  readonly isShared?: boolean;
}

/**
 * Opens the store that a database URL names: `sqlite:<path>`, `sqlite::memory:` for one that ends with the process,
 * or `postgres://user@host/database`.
 * @throws StoreOpenError
 */
export async function openStore(
  url: string,
  { isShared = false }: OpenStoreOptions = {},
): Promise<Store> {
  if (/^postgres(ql)?:/.test(url)) {
    const { openPostgresStore } = await import('./postgres/open-postgres-store.ts');
    return openPostgresStore(url);
  }
  const path = /^sqlite:(.+)$/s.exec(url)?.[1];
  if (path === undefined) {
    throw new StoreOpenError(
      `--database: write sqlite:<path> or postgres://user@host/database, not ${describeUrl(url)}`,
    );
  }
  const { openSqliteStore, openSharedSqliteStore } = await import('./sqlite/open-sqlite-store.ts');
  return isShared ? openSharedSqliteStore(path) : openSqliteStore(path);
}

/** What stands before the colon is enough to see the mistake; the rest may hold a password. */
function describeUrl(url: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0];
  return scheme === undefined ? JSON.stringify(url) : `a URL of ${scheme}`;
}
