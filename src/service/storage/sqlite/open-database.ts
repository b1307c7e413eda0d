import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../errors.ts';
import type { Database } from '../database-url.ts';
import { type Connection, connect, makeDurable } from './connection.ts';
import { findCode, toUserError } from './errors.ts';
import { checkSchema, migrate } from './schema.ts';

export type SqliteDatabase = Extract<Database, { kind: 'sqlite' }>;

/** Opens a database with the newest schema, creating what is missing. @throws UserError `cli_database` */
export function openDatabase({ file, shown }: SqliteDatabase): Connection {
  return explain(shown, () => {
    createFolder(path.dirname(file));
    return openChecked({ file, shown }, (connection) => {
      makeDurable(connection);
      migrate(connection);
    });
  });
}

/** Opens a database that is there, see `requireStore`, and changes nothing. @throws UserError `cli_database` */
export function openExisting({ file, shown }: SqliteDatabase): Connection {
  return explain(shown, () => openChecked({ file, shown }, () => {}));
}

/** Whether nothing was ever written there. */
export function isMissing(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/**
 * Makes this process the only service on a database until the lock is closed, or until it dies: Node has no file locks, but
 * SQLite does. On an empty file beside the database, since commands share the database itself with the service.
 */
export function holdLock({ file, shown }: SqliteDatabase): Connection {
  return explain(shown, () => {
    createFolder(path.dirname(file));
    const lock = connect(`${existsSync(file) ? realpathSync(file) : file}-lock`);
    try {
      lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return lock;
    } catch (error) {
      lock.close();
      throw findCode(error) === BUSY ? refuseUsed(shown, error) : error;
    }
  });
}
const BUSY = 5;

function openChecked(
  { file, shown }: Omit<SqliteDatabase, 'kind'>,
  prepare: (c: Connection) => void,
) {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError('cli_database', `${shown} is a folder: write the path of a file in it.`);
  }
  const connection = connect(file);
  try {
    checkSchema(connection, shown);
    prepare(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Not by `recursive`, which reports a read-only file system as a missing folder. Only for their owner. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(path.dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

export function explain<Result>(shown: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toUserError(error, `The database ${shown} cannot be used`);
  }
}

function refuseUsed(shown: string, cause: unknown): UserError {
  return new UserError('cli_database', `Another petstore serve is using ${shown}: stop it first.`, {
    cause,
  });
}
