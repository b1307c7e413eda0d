import * as v from 'valibot';
import type { Store } from '../store.ts';
import { createApiKeyReader, createApiKeyWriter } from './api-keys.ts';
import { openConnection } from './connection/open-connection.ts';
import { openDatabase } from './connection/open-database.ts';
import { openReadingPool } from './connection/reading-pool.ts';
import { createPetReader } from './pet-reader.ts';
import { createPetWriter } from './pet-writer.ts';

const ping = { name: 'ping', text: 'SELECT 1', row: v.unknown() };

const rewriteCounter = {
  name: 'try_write',
  text: "UPDATE id_counters SET last_id = last_id WHERE name = 'pets'",
  row: v.unknown(),
};

/**
 * Opens the store in a PostgreSQL database. Any number of programs may use it at once.
 * @throws StoreOpenError when the database cannot be reached or used.
 */
export async function openPostgresStore(url: string): Promise<Store> {
  const config = await openDatabase(url);
  const pool = openReadingPool(config);
  // A separate connection: writers wait for their turn, and readers must not wait for them.
  const writing = openConnection(config);
  return {
    ...createPetReader(pool),
    ...createApiKeyReader(pool),
    ...createPetWriter(writing),
    ...createApiKeyWriter(writing),
    checkReady: async () => {
      await pool.query(ping, []);
    },
    tryWrite: async () => {
      await writing.query(rewriteCounter, []);
    },
    close: async () => {
      await Promise.all([pool.close(), writing.close()]);
    },
  };
}
