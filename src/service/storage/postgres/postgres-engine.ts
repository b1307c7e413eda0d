import type { DatabaseEngine } from '../database-engine.ts';

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
} as const satisfies DatabaseEngine;
