import { type Store, StoreOpenError } from './store.ts';

/** Opens the store that a database URL names: `sqlite:<path>`, or `sqlite::memory:` for one that ends with the process. */
export async function openStore(url: string): Promise<Store> {
  if (url.startsWith('sqlite:')) {
    const { openSqliteStore } = await import('./sqlite/open-sqlite-store.ts');
    return openSqliteStore(url.slice('sqlite:'.length));
  }
  throw new StoreOpenError(`this is no database URL: ${url}. Write sqlite:<path>`);
}
