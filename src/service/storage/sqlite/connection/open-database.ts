import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { createPrivateFolder } from '../../../../files/write-file-atomically.ts';
import { StoreOpenError } from '../../store.ts';
import { migrate } from './migrations.ts';
import { type Connection, closeConnection, openConnection } from './open-connection.ts';
import { isBusy } from './store-error.ts';

export interface ExclusiveDatabase {
  readonly database: Connection;
  close(): void;
}

/** Opens a database with the schema of this program, and creates it if there is none. @throws StoreOpenError */
export function openDatabase(path: string): Connection {
  createPrivateFolder(dirname(path));
  const database = openConnection(path);
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
  createPrivateFolder(dirname(path));
  const lock = new DatabaseSync(`${path}-lock`);
  try {
    holdLock(lock, path);
    const database = openDatabase(path);
    const close = () => {
      closeConnection(database);
      lock.close();
    };
    return { database, close };
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
