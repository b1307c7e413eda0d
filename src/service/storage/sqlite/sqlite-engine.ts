import type { DatabaseEngine } from '../database-engine.ts';
import { StoreOpenError } from '../store.ts';

/** SQLite: `sqlite:<path>`, or `sqlite::memory:` for a database that ends with the process. */
export const sqliteEngine = {
  urlForm: 'sqlite:<path>',
  matches: (url) => /^sqlite:./s.test(url),

  async openStore(url, { isShared }) {
    const { openSqliteStore, openSharedSqliteStore } = await import('./open-sqlite-store.ts');
    return await (isShared ? openSharedSqliteStore : openSqliteStore)(pathOf(url));
  },

  async openCopyEndpoint(url, role) {
    const path = pathOf(url);
    if (path === ':memory:') {
      throw new StoreOpenError(`the ${role} of a copy must be a file, not ${url}`);
    }
    const { openSqliteCopyEndpoint } = await import('./copy-endpoint.ts');
    return await openSqliteCopyEndpoint(path, role);
  },
} as const satisfies DatabaseEngine;

function pathOf(url: string): string {
  return url.slice('sqlite:'.length);
}
