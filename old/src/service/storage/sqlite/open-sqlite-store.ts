import type { Store } from '../store.ts';
import { createApiKeyReader } from './api-keys.ts';
import { createAuditReader } from './audit-reader.ts';
import { type DatabaseFiles, watchDatabaseFiles } from './connection/database-file.ts';
import { type Connection, closeConnection } from './connection/open-connection.ts';
import { openDatabase, openExclusiveDatabase } from './connection/open-database.ts';
import { createSharedSnapshot, type SharedSnapshot } from './connection/shared-snapshot.ts';
import { attempt, explainOpening, settle } from './connection/store-error.ts';
import { createPetReader } from './pet-reader.ts';
import { toAdditionRow, toOutcomes } from './writer/batch-rows.ts';
import { createWriter, type Writer } from './writer/writer.ts';
import { openWriterThread, type WriterThread } from './writer/writer-thread.ts';

/** For reading, instead of SQLite's own 2 MB; for speed, see bench/README.md. */
export const CACHE_KIB = 32 * 1024;

/** The writer finds the next one without waiting for the thread that reads. */
const BATCHES_AT_ONCE = 2;

/**
 * Opens the SQLite database at a path for the one service that may run on it, and creates it if there is none: its writes
 * are made in a thread of their own, and its reads share snapshots.
 * @throws StoreOpenError
 */
export async function openSqliteStore(path: string): Promise<Store> {
  return await explainOpening(path, async () => {
    const { database, file, close } = openExclusiveDatabase(path);
    try {
      database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
      const writer = await openWriterThread(file);
      const snapshot = createSharedSnapshot(database);
      const closeAll = async () => {
        await writer.close();
        snapshot.end();
        close();
      };
      return buildStore(createReader(database), {
        writer,
        snapshot,
        files: watchDatabaseFiles(file),
        close: closeAll,
      });
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
    return buildStore(createReader(database), {
      writer: createWriter(database),
      snapshot: noSnapshot,
      files: noFiles,
      close: async () => closeConnection(database),
    });
  });
}

const noSnapshot: SharedSnapshot = { read: (work) => work(), end: () => {} };

/** A command is over before it could notice, and one in memory has none. */
const noFiles: DatabaseFiles = { checkInPlace: () => {}, checkWritable: () => {} };

type Reader = ReturnType<typeof createReader>;

function createReader(database: Connection) {
  return {
    ...createPetReader(database),
    ...createApiKeyReader(database),
    ...createAuditReader(database),
  };
}

interface StoreParts {
  readonly writer: Writer | WriterThread;
  readonly snapshot: SharedSnapshot;
  readonly files: DatabaseFiles;
  close(): Promise<void>;
}

function buildStore(reader: Reader, { writer, snapshot, files, close }: StoreParts): Store {
  async function write<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const result = await settle(work);
    snapshot.end();
    return result;
  }
  return {
    listPets: (query) => attempt(() => snapshot.read(() => reader.listPets(query))),
    findPet: (id) => attempt(() => snapshot.read(() => reader.findPet(id))),
    readAudit: (query) => settle(() => snapshot.read(() => reader.readAudit(query))),
    async addPets(additions, now) {
      const batch = await write(() => writer.addPets(additions.map(toAdditionRow), now));
      return toOutcomes(additions, batch);
    },
    batchesAtOnce: BATCHES_AT_ONCE,
    createKey: (key) => write(() => writer.createKey(key)),
    listKeys: () => settle(() => reader.listKeys()),
    rotateKey: (rotation) => write(() => writer.rotateKey(rotation)),
    revokeKey: (id, at) => write(() => writer.revokeKey(id, at)),
    findKey(hash) {
      // A command that shares the database may have created or revoked it just now.
      snapshot.end();
      return settle(() => reader.findKey(hash));
    },
    recordKeyUses: (uses) => write(() => writer.recordKeyUses(uses)),
    isStalled: () => false,
    // Without a query: where the disk hangs it would hang this thread, with all that needs no database.
    checkReady: () =>
      settle(() => {
        files.checkInPlace();
        files.checkWritable();
      }),
    tryWrite: () => write(() => writer.tryWrite()),
    close,
  };
}
