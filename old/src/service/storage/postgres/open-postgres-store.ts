import type { OpenStoreOptions } from '../database-engine.ts';
import { type Store, StoreUnavailableError } from '../store.ts';
import { createApiKeyReader, createApiKeyWriter } from './api-keys.ts';
import { createAuditReader } from './audit-reader.ts';
import { openConnection, PATIENCE_MS } from './connection/open-connection.ts';
import { openDatabase } from './connection/open-database.ts';
import { openReadingPool } from './connection/reading-pool.ts';
import { startStallGuard } from './connection/stall-guard.ts';
import { createPetReader } from './pet-reader.ts';
import { createPetWriter } from './pet-writer.ts';
import { createProbe } from './probe.ts';

/**
 * Opens the store in a PostgreSQL database. Any number of programs may use it at once.
 * @throws StoreOpenError when the database cannot be reached or used.
 */
export async function openPostgresStore(
  url: string,
  { onReconnect }: Pick<OpenStoreOptions, 'onReconnect'> = {},
): Promise<Store> {
  const config = await openDatabase(url);
  const pool = openReadingPool(config, onReconnect);
  // Separate connections: writers wait for their turn, and neither readers nor readiness must wait for them.
  const writing = openConnection(config);
  const probing = openConnection(config);
  const probe = createProbe(probing);
  const stopGuard = startStallGuard([...pool.connections, writing], probing, probe);
  return {
    ...createPetReader(pool),
    ...createApiKeyReader(pool),
    ...createAuditReader(pool),
    // It sweeps by the pool: adds must not wait for that.
    ...createPetWriter({ query: pool.query, transact: writing.transact }),
    ...createApiKeyWriter(writing),
    batchesAtOnce: 1,
    isStalled: () => writing.oldestAge > PATIENCE_MS,
    async checkReady() {
      await probe();
      if (writing.oldestAge > PATIENCE_MS)
        throw new StoreUnavailableError('an add has waited for the database for a second');
    },
    async close() {
      stopGuard();
      await Promise.all([pool.close(), writing.close(), probing.close()]);
    },
  };
}
