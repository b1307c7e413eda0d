import type { Store } from '../store.ts';
import { createApiKeyReader } from './api-keys.ts';
import { type Connection, closeConnection } from './connection/open-connection.ts';
import { openDatabase, openExclusiveDatabase } from './connection/open-database.ts';
import { createSharedSnapshot, type SharedSnapshot } from './connection/shared-snapshot.ts';
import { explainOpening, settle } from './connection/store-error.ts';
import { createPetReader } from './pet-reader.ts';
import { createWriter, type Writer } from './writer/writer.ts';
import { openWriterThread, type WriterThread } from './writer/writer-thread.ts';

/** For reading, instead of SQLite's own 2 MB; for speed, see bench/README.md. */
const CACHE_KIB = 32 * 1024;

/**
 * Opens the SQLite database at a path for the one service that may run on it, and creates it if there is none: its writes
 * are made in a thread of their own, and its reads share snapshots.
 * @throws StoreOpenError
 */
export async function openSqliteStore(path: string): Promise<Store> {
  return await explainOpening(path, async () => {
    const { database, close } = openExclusiveDatabase(path);
    try {
      database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
      const writer = await openWriterThread(path);
      const snapshot = createSharedSnapshot(database);
      const closeAll = async () => {
        await writer.close();
        snapshot.end();
        close();
      };
      return buildStore(database, writer, closeAll, snapshot);
    } catch (error) {
      close();
      throw error;
    }
  });
}

/**
 * Opens the same database for a command's few writes, while a service may be running on it. At `:memory:` it is a new one
 * that ends with the store; nothing is synced there, so it needs no writer thread.
 * @throws StoreOpenError
 */
export async function openSharedSqliteStore(path: string): Promise<Store> {
  return await explainOpening(path, async () => {
    const database = openDatabase(path);
    const close = async () => closeConnection(database);
    return buildStore(database, createWriter(database), close, noSnapshot);
  });
}

const noSnapshot: SharedSnapshot = { read: (work) => work(), end: () => {} };

function buildStore(
  database: Connection,
  writer: Writer | WriterThread,
  close: () => Promise<void>,
  snapshot: SharedSnapshot,
): Store {
  const reader = { ...createPetReader(database), ...createApiKeyReader(database) };
  return {
    listPets: (query) => settle(() => snapshot.read(() => reader.listPets(query))),
    findPet: (id) => settle(() => snapshot.read(() => reader.findPet(id))),
    async addPets(additions, now) {
      const outcomes = await settle(() => writer.addPets(additions, now));
      snapshot.end();
      return outcomes;
    },
    createKey: (key) => settle(() => writer.createKey(key)),
    listKeys: () => settle(() => reader.listKeys()),
    revokeKey: (id, at) => settle(() => writer.revokeKey(id, at)),
    findKey(hash) {
      // A command that shares the database may have created or revoked it just now.
      snapshot.end();
      return settle(() => reader.findKey(hash));
    },
    recordKeyUses: (uses) => settle(() => writer.recordKeyUses(uses)),
    isStalled: () => false,
    checkReady: () => settle(() => void reader.findPet(0n)),
    tryWrite: () => settle(() => writer.tryWrite()),
    close,
  };
}
