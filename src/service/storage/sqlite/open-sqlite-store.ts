import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { type OpenStoreOptions, type Store, StoreError } from '../store.ts';
import { createApiKeyReader } from './api-keys.ts';
import { toStoreError } from './connection.ts';
import { openDatabase, type SqliteDatabase } from './open-database.ts';
import { createAuditReader, createPetReader } from './pets.ts';
import type { Writer, WriterCall, WriterResponse } from './writer.ts';

/** For reading, instead of SQLite's own 2 MB; for speed, see bench/README.md. */
const CACHE_KIB = 32 * 1024;

/** Opens a SQLite database: reads in this thread, which takes microseconds; writes in another, since a sync takes milliseconds. */
export async function openSqliteStore(
  database: SqliteDatabase,
  options: OpenStoreOptions,
): Promise<Store> {
  const { connection, isNew, close } = openDatabase(database, options);
  try {
    connection.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const writer = await startWriterThread(database.file);
    const { listPets, findPet } = createPetReader(connection);
    const { listKeys, findKey } = createApiKeyReader(connection);
    return {
      isNew,
      ...writer,
      countLosses: () => 0,
      listPets: withStoreErrors(listPets, database.file),
      findPet: withStoreErrors(findPet, database.file),
      listKeys: withStoreErrors(listKeys, database.file),
      findKey: withStoreErrors(findKey, database.file),
      readAudit: withStoreErrors(createAuditReader(connection), database.file),
      async close() {
        await writer.close();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** The same function, whose failures are those of the port. */
function withStoreErrors<Words extends unknown[], Result>(
  read: (...words: Words) => Result,
  file: string,
): (...words: Words) => Result {
  return (...words) => {
    try {
      return read(...words);
    } catch (error) {
      throw toStoreError(error, file);
    }
  };
}

/** The writer in a thread of its own: the same functions, one after another. */
type WriterThread = {
  [Name in keyof Writer]: (
    ...parameters: Parameters<Writer[Name]>
  ) => Promise<ReturnType<Writer[Name]>>;
};

interface RunningCall {
  end(response: WriterResponse): void;
  fail(error: Error): void;
}

/** Starts the thread on a database whose schema is there already. */
async function startWriterThread(file: string): Promise<WriterThread> {
  const entry = path.join(import.meta.dirname, 'writer.cjs');
  const worker = new Worker(entry, { workerData: file, execArgv: [] });
  await once(worker, 'message');
  const exited = once(worker, 'exit');
  /** In the order of their responses. */
  const running: RunningCall[] = [];
  let failure: StoreError | undefined;
  worker.on('message', (response) => running.shift()?.end(response));
  worker.on('error', (cause) => {
    failure = new StoreError('the writer thread failed', { cause, isOutcomeUnknown: true });
  });
  worker.on('exit', () => {
    failure ??= new StoreError('the database is closed');
    for (const { fail } of running.splice(0)) fail(failure);
  });

  /** Both sides keep to the types of `Writer`. */
  function bind<Name extends keyof Writer>(method: Name) {
    return (...parameters: Parameters<Writer[Name]>): Promise<ReturnType<Writer[Name]>> =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        worker.postMessage({ method, parameters } satisfies WriterCall);
        const end = (response: WriterResponse<ReturnType<Writer[Name]>>) =>
          'result' in response ? resolve(response.result) : reject(toError(response));
        running.push({ end, fail: reject });
      });
  }

  return {
    addPets: bind('addPets'),
    checkWritable: bind('checkWritable'),
    createKey: bind('createKey'),
    revokeKey: bind('revokeKey'),
    recordKeyUses: bind('recordKeyUses'),
    async close() {
      await bind('close')();
      await exited;
    },
  };
}

function toError(response: Exclude<WriterResponse, { result: unknown }>): unknown {
  return 'error' in response ? response.error : new StoreError(response.message, response);
}
