import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Store } from '../store.ts';
import { holdLock } from './hold-lock.ts';
import { createKeyReader } from './key-records.ts';
import { type Connection, closeConnection } from './open-connection.ts';
import { openMigrated } from './open-migrated.ts';
import { createPetReader } from './pet-reader.ts';
import { createSharedSnapshot, type SharedSnapshot } from './shared-snapshot.ts';
import { toOpenError, toStoreError } from './store-error.ts';
import { createWriter, type Writer } from './writer/writer.ts';
import { openWriterThread, type WriterThread } from './writer/writer-thread.ts';

const IN_MEMORY = ':memory:';

/** For reading: a page from anywhere among a million pets took 26 µs with SQLite's own 2 MB, 20 with this. */
const CACHE_KIB = 32 * 1024;

/**
 * Opens the SQLite database at a path for the one service that may run on it, and makes it if there is none.
 * At `:memory:` it is a new one that ends with the store; nothing is synced there, so it needs no writer thread.
 * @throws StoreOpenError
 */
export async function openSqliteStore(path: string): Promise<Store> {
  if (path === IN_MEMORY) return openSharedSqliteStore(path);
  return await explainOpening(path, async () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const lock = holdLock(path);
    try {
      const database = openMigrated(path);
      database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
      const writer = await openWriterThread(path);
      const snapshot = createSharedSnapshot(database);
      const close = async () => {
        await writer.close();
        snapshot.end();
        closeConnection(database);
        lock.release();
      };
      const store = buildStore(database, writer, close, snapshot.read);
      const addPets: Store['addPets'] = async (additions, now) => {
        const outcomes = await store.addPets(additions, now);
        snapshot.end();
        return outcomes;
      };
      // A command beside this service may have made or revoked it just now.
      const findKey: Store['findKey'] = (hash) => {
        snapshot.end();
        return store.findKey(hash);
      };
      return { ...store, addPets, findKey };
    } catch (error) {
      lock.release();
      throw error;
    }
  });
}

/** Opens the same database for a command's few writes, beside a service that may be running on it. @throws StoreOpenError */
export async function openSharedSqliteStore(path: string): Promise<Store> {
  return await explainOpening(path, async () => {
    if (path !== IN_MEMORY) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const database = openMigrated(path);
    return buildStore(database, createWriter(database), () => closeConnection(database));
  });
}

function buildStore(
  database: Connection,
  writer: Writer | WriterThread,
  close: () => void | Promise<void>,
  read: SharedSnapshot['read'] = (work) => work(),
): Store {
  const reader = { ...createPetReader(database), ...createKeyReader(database) };
  return {
    listPets: (query) => settleNow(() => read(() => reader.listPets(query))),
    findPet: (id) => settleNow(() => read(() => reader.findPet(id))),
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

async function explainOpening<Result>(path: string, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw toOpenError(path, error);
  }
}

/** As `settle`, for what is known at once: two turns of the queue of promises less. */
function settleNow<Result>(work: () => Result): Promise<Result> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(toStoreError(error));
  }
}

async function settle<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error);
  }
}
