import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { holdLock } from './hold-lock.ts';
import { migrate } from './migrations.ts';
import { type Connection, closeConnection, openConnection } from './open-connection.ts';

/** The path of a new database that ends with its connection. */
export const IN_MEMORY = ':memory:';

export interface ExclusiveDatabase {
  readonly database: Connection;
  close(): void;
}

/** Opens a database with the schema of this program, and creates it if there is none. @throws StoreOpenError */
export function openDatabase(path: string): Connection {
  if (path !== IN_MEMORY) createFolderOf(path);
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
  createFolderOf(path);
  const lock = holdLock(path);
  try {
    const database = openDatabase(path);
    const close = () => {
      closeConnection(database);
      lock.release();
    };
    return { database, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function createFolderOf(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
}
