import type { DatabaseEngine } from '../database-engine.ts';
import { StoreOpenError } from '../store.ts';

/** PostgreSQL, which any number of programs may use at once. */
export const postgresEngine = {
  urlForm: 'postgres://user@host/database',
  matches: (url) => /^postgres(ql)?:/.test(url),

  async hasStore(url) {
    const { hasStore } = await import('./connection/open-database.ts');
    return await hasStore(url);
  },

  async openStore(url, options) {
    const { openPostgresStore } = await import('./open-postgres-store.ts');
    return await openPostgresStore(url, options);
  },

  async openCopyEndpoint(url) {
    const { openPostgresCopyEndpoint } = await import('./copy-endpoint.ts');
    return await openPostgresCopyEndpoint(url);
  },

  async checkStore(url) {
    const { checkPostgresStore } = await import('./check-store.ts');
    return await checkPostgresStore(url);
  },

  async backUpStore() {
    throw new StoreOpenError(
      'a PostgreSQL database is backed up by its own tools, such as pg_dump, not by petstore',
    );
  },
} as const satisfies DatabaseEngine;
