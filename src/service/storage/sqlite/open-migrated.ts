import { migrate } from './migrations.ts';
import { type Connection, openConnection } from './open-connection.ts';

/** Opens a connection to a database whose schema is the one of this program. @throws StoreOpenError */
export function openMigrated(path: string): Connection {
  const database = openConnection(path);
  try {
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
