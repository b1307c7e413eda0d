import type { Store } from '../store.ts';
import { createApiKeyReader } from './api-keys.ts';
import { type Connection, closeConnection } from './connection/open-connection.ts';
import {
  type ExclusiveDatabase,
  IN_MEMORY,
  openDatabase,
  openExclusiveDatabase,
} from './connection/open-database.ts';
import { createSharedSnapshot, type SharedSnapshot } from './connection/shared-snapshot.ts';
import { explainOpening, settle } from './connection/store-error.ts';
import { createPetReader } from './pet-reader.ts';
import { createWriter, type Writer } from './writer/writer.ts';
import { openWriterThread, type WriterThread } from './writer/writer-thread.ts';

/** For reading, instead of SQLite's own 2 MB; for speed, see bench/README.md. */
const CACHE_KIB = 32 * 1024;

/**
 * Opens the SQLite database at a path for the one service that may run on it, and creates it if there is none.
 * At `:memory:` it is a new one that ends with the store; nothing is synced there, so it needs no writer thread.
 * @throws StoreOpenError
 */
export async function openSqliteStore(path: string): Promise<Store> {
  if (path === IN_MEMORY) return await openSharedSqliteStore(path);
  return await explainOpening(path, async () => {
    const exclusive = openExclusiveDatabase(path);
    try {
      exclusive.database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
      return buildServiceStore(exclusive, await openWriterThread(path));
    } catch (error) {
      exclusive.close();
      throw error;
    }
  });
}

/** Opens the same database for a command's few writes, while a service may be running on it. @throws StoreOpenError */
export async function openSharedSqliteStore(path: string): Promise<Store> {
  return await explainOpening(path, async () => {
    const database = openDatabase(path);
    return buildStore(database, createWriter(database), () => closeConnection(database));
  });
}

/** A store whose writes are made in a thread of their own and whose reads share snapshots. */
function buildServiceStore({ database, close }: ExclusiveDatabase, writer: WriterThread): Store {
  const snapshot = createSharedSnapshot(database);
  const closeAll = async () => {
    await writer.close();
    snapshot.end();
    close();
  };
  const store = buildStore(database, writer, closeAll, snapshot.read);
  return {
    ...store,
    async addPets(additions, now) {
      const outcomes = await store.addPets(additions, now);
      snapshot.end();
      return outcomes;
    },
    findKey(hash) {
      // A command that shares the database may have created or revoked it just now.
      snapshot.end();
      return store.findKey(hash);
    },
  };
}

function buildStore(
  database: Connection,
  writer: Writer | WriterThread,
  close: () => void | Promise<void>,
  read: SharedSnapshot['read'] = (work) => work(),
): Store {
  const reader = { ...createPetReader(database), ...createApiKeyReader(database) };
  return {
    listPets: (query) => settle(() => read(() => reader.listPets(query))),
    findPet: (id) => settle(() => read(() => reader.findPet(id))),
    addPets: (additions, now) => settle(() => writer.addPets(additions, now)),
    createKey: (key) => settle(() => writer.createKey(key)),
    listKeys: () => settle(() => reader.listKeys()),
    revokeKey: (id, at) => settle(() => writer.revokeKey(id, at)),
    findKey: (hash) => settle(() => reader.findKey(hash)),
    recordKeyUses: (uses) => settle(() => writer.recordKeyUses(uses)),
    ping: () => settle(() => void reader.findPet(0n)),
    close: async () => close(),
  };
}
