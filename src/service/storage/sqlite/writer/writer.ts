import { createApiKeyWriter } from '../api-keys.ts';
import type { Connection } from '../connection/open-connection.ts';
import { createPetWriter } from './pet-writer.ts';

/** Everything that changes the database, over one connection, which it closes. */
export function createWriter(database: Connection) {
  return {
    ...createPetWriter(database),
    ...createApiKeyWriter(database),
    close: () => database.close(),
  };
}

export type Writer = ReturnType<typeof createWriter>;
