import type { Store } from '../store.ts';
import { createKeyReader } from './key-records.ts';
import { migrate } from './migrations.ts';
import { openConnection } from './open-connection.ts';
import { createPetReader } from './pet-reader.ts';
import { toStoreError } from './store-error.ts';
import { createWriter } from './writer.ts';

/** Opens the SQLite database at a path, or a new one in memory at `:memory:`. */
export function openSqliteStore(path: string): Store {
  const database = openConnection(path);
  migrate(database);
  const reader = { ...createPetReader(database), ...createKeyReader(database) };
  const writer = createWriter(database);
  return {
    listPets: (query) => settle(() => reader.listPets(query)),
    findPet: (id) => settle(() => reader.findPet(id)),
    addPets: (additions, now) => settle(() => writer.addPets(additions, now)),
    createKey: (key) => settle(() => writer.createKey(key)),
    listKeys: () => settle(() => reader.listKeys()),
    revokeKey: (id, at) => settle(() => writer.revokeKey(id, at)),
    findKey: (hash) => settle(() => reader.findKey(hash)),
    recordKeyUses: (uses) => settle(() => writer.recordKeyUses(uses)),
    ping: () => settle(() => void reader.findPet(0n)),
    close: async () => database.close(),
  };
}

async function settle<Result>(work: () => Result): Promise<Result> {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error);
  }
}
