import { DatabaseSync } from '@photostructure/sqlite';
import { StoreOpenError } from '../../store.ts';
import { checkOwner } from './check-owner.ts';
import { resolveDatabaseFile } from './database-file.ts';
import { migrate } from './migrations.ts';
import { type Connection, closeConnection, openConnection } from './open-connection.ts';
import { isBusy } from './store-error.ts';

export interface ExclusiveDatabase {
  readonly database: Connection;
  /** Its real path. */
  readonly file: string;
  close(): void;
}

/** Opens a database with the schema of this program, and creates it if there is none. @throws StoreOpenError */
export function openDatabase(path: string): Connection {
  const file = resolveDatabaseFile(path);
  checkOwner(file);
  return openResolved(file);
}

function openResolved(file: string): Connection {
  const database = openConnection(file);
  try {
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens a database that no other program may serve or copy until `close`. @throws StoreOpenError */
export function openExclusiveDatabase(path: string): ExclusiveDatabase {
  const file = resolveDatabaseFile(path);
  checkOwner(file);
  const lock = new DatabaseSync(`${file}-lock`);
  try {
    holdLock(lock, file);
    const database = openResolved(file);
    const close = () => {
      closeConnection(database);
      lock.close();
    };
    return { database, file, close };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * Makes this process the only service on a database until the lock is closed, or until it dies: Node has no file locks,
 * but SQLite does, and the system releases them with the process. Held on an empty file next to the database,
 * since a lock on the database itself would shut out the commands that share it with the service.
 */
function holdLock(lock: Connection, path: string): void {
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new StoreOpenError(
      `another petstore serve is using the database ${path}: stop it first, or give this one another --database`,
      { cause: error },
    );
  }
}
