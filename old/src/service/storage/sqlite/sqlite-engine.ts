import { statSync } from 'node:fs';
import type { DatabaseEngine } from '../database-engine.ts';
import { StoreOpenError } from '../store.ts';
import { IN_MEMORY } from './connection/database-file.ts';

/** SQLite: `sqlite:<path>`, or `sqlite::memory:` for a database that ends with the process. */
export const sqliteEngine = {
  urlForm: 'sqlite:<path>',
  matches: (url) => /^sqlite:./s.test(url),

  async hasStore(url) {
    try {
      return (statSync(pathOf(url), { throwIfNoEntry: false })?.size ?? 0) > 0;
    } catch {
      // A folder that may not be entered: opening the file says so.
      return true;
    }
  },

  async openStore(url, { isShared }) {
    const { openSqliteStore, openSharedSqliteStore } = await import('./open-sqlite-store.ts');
    const path = pathOf(url);
    return await (isShared || path === IN_MEMORY ? openSharedSqliteStore : openSqliteStore)(path);
  },

  async openCopyEndpoint(url, role) {
    const path = pathOf(url);
    if (path === IN_MEMORY) {
      throw new StoreOpenError(`the ${role} of a copy must be a file, not ${url}`);
    }
    const { openSqliteCopyEndpoint } = await import('./copy-endpoint.ts');
    return await openSqliteCopyEndpoint(path, role);
  },

  async checkStore(url) {
    const { checkSqliteDatabase } = await import('./check-database.ts');
    return await checkSqliteDatabase(pathOf(url));
  },

  async backUpStore(url, file, signal) {
    const { backUpSqliteDatabase } = await import('./back-up-database.ts');
    return await backUpSqliteDatabase(pathOf(url), file, signal);
  },
} as const satisfies DatabaseEngine;

function pathOf(url: string): string {
  return url.slice('sqlite:'.length);
}
