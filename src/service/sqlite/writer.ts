import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { createKeyWriter } from './key-records.ts';
import { createPetWriter } from './pet-writer.ts';

/** Everything that changes the database, over one connection, which it owns. */
export function createWriter(database: DatabaseSyncInstance) {
  return {
    ...createPetWriter(database),
    ...createKeyWriter(database),
    close: () => database.close(),
  };
}

export type Writer = ReturnType<typeof createWriter>;
