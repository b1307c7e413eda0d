import type { Database } from '../database-url.ts';
import type { OpenStoreOptions, Store } from '../store.ts';
import { createApiKeyStore } from './api-keys.ts';
import { createAuditReader, createPetReader, createPetWriter } from './pets.ts';
import { openConnections } from './pool.ts';
import { migrate } from './schema.ts';

export type PostgresDatabase = Extract<Database, { kind: 'postgres' }>;

/** Opens the store in a PostgreSQL database, which any number of programs may use at once. @throws UserError `cli_database` */
export async function openPostgresStore(
  { url, shown }: PostgresDatabase,
  { mustExist }: OpenStoreOptions,
): Promise<Store> {
  const connections = openConnections(url);
  try {
    const { isNew } = await migrate(connections, shown, mustExist);
    return {
      isNew,
      ...createPetReader(connections),
      ...createPetWriter(connections),
      ...createApiKeyStore(connections),
      readAudit: createAuditReader(connections),
      countLosses: connections.countLosses,
      close: connections.close,
    };
  } catch (error) {
    await connections.close();
    throw error;
  }
}
