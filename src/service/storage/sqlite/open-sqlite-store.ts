import type { OpenStoreOptions, Store } from '../store.ts';
import { createApiKeyReader } from './api-keys.ts';
import { createAuditReader } from './audit.ts';
import { toStoreError } from './errors.ts';
import { openDatabase, type SqliteDatabase } from './open-database.ts';
import { createPetReader } from './pets.ts';
import { startWriterThread } from './writer-thread.ts';

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
      listPets: explained(listPets),
      findPet: explained(findPet),
      listKeys: explained(listKeys),
      findKey: explained(findKey),
      readAudit: explained(createAuditReader(connection)),
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
function explained<Words extends unknown[], Result>(
  read: (...words: Words) => Result,
): (...words: Words) => Result {
  return (...words) => {
    try {
      return read(...words);
    } catch (error) {
      throw toStoreError(error);
    }
  };
}
