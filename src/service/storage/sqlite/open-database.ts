import { chmodSync, chownSync, existsSync, type Stats, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../errors.ts';
import { createFolders } from '../../../files.ts';
import { type Database, refuseMissing } from '../database-url.ts';
import type { OpenStoreOptions } from '../store.ts';
import {
  type Connection,
  closeConnection,
  connect,
  findCode,
  findFileProblem,
  listFiles,
  makeDurable,
  toUserError,
} from './connection.ts';
import { checkSchema, migrate } from './schema.ts';

/** SQLite's result code when somebody else holds the lock. */
const BUSY = 5;

export type SqliteDatabase = Extract<Database, { kind: 'sqlite' }>;

export interface OpenedDatabase {
  readonly connection: Connection;
  /** Whether it was created now. */
  readonly isNew: boolean;
  close(): void;
}

/** Opens a database with the newest schema, creating what is missing. @throws UserError `cli_database` */
export function openDatabase(
  database: SqliteDatabase,
  { isExclusive, mustExist }: OpenStoreOptions,
): OpenedDatabase {
  const { file, shown } = database;
  return withDatabaseErrors(database, () => {
    refuseOther(database);
    const isNew = isMissing(file);
    if (isNew && mustExist) throw refuseMissing(shown);
    createFolders(path.dirname(file));
    createPrivateFile(file);
    const lock = isExclusive ? holdLock(database) : undefined;
    try {
      const connection = openChecked(database, bringUpToDate);
      const close = () => {
        closeConnection(connection);
        lock?.close();
      };
      return { connection, isNew, close };
    } catch (error) {
      lock?.close();
      throw error;
    }
  });
}

function bringUpToDate(connection: Connection): void {
  makeDurable(connection);
  migrate(connection);
}

/** Opens a database that must be there, and changes nothing. @throws UserError `cli_database` */
export function openExisting(database: SqliteDatabase): Connection {
  return withDatabaseErrors(database, () => {
    refuseOther(database);
    if (isMissing(database.file)) throw refuseMissing(database.shown);
    return openChecked(database, () => {});
  });
}

/** Whether nothing was ever written there. */
function isMissing(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/**
 * Makes this process the only service on a database until the lock is closed, or until it dies: Node has no file locks, but
 * SQLite does. On an empty file beside the database, since commands share the database itself with the service.
 */
function holdLock({ file, shown }: SqliteDatabase): Connection {
  const { lock: lockFile } = listFiles(file);
  // SQLite would lock nothing in one that it can only read.
  if (findFileProblem(lockFile) === 'EACCES') throw refuseLock(lockFile, shown);
  createPrivateFile(lockFile);
  takeOwner(lockFile, file);
  const lock = connect(lockFile);
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw findCode(error) === BUSY ? refuseUsed(shown, error) : error;
  }
}

/** Only for its user; SQLite gives what it puts beside the database the same rights. */
export function createPrivateFile(file: string): void {
  if (!existsSync(file)) writeFileSync(file, '', { mode: 0o600, flag: 'a' });
  else if (isMissing(file)) chmodSync(file, 0o600);
}

/** What root creates for a service of another user. */
function takeOwner(file: string, example: string): void {
  const { uid, gid } = statSync(example);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

/** Before a lock is put beside it. */
function refuseOther({ file, shown }: SqliteDatabase): void {
  const status = statSync(file, { throwIfNoEntry: false });
  const reason = status && describeOther(status);
  if (reason !== undefined) throw new UserError('cli_database', `${shown} ${reason}.`);
}

function describeOther(status: Stats): string | undefined {
  if (status.isDirectory()) return 'is a folder: write the path of a file in it';
  if (!status.isFile()) return 'is not a file: write the path of one';
  // Under each name SQLite would keep a log and a lock of its own: see sqlite.org/howtocorrupt.html.
  if (status.nlink > 1) return 'has a second name, a hard link: remove that, or copy the file';
  return undefined;
}

function openChecked({ file, shown }: SqliteDatabase, prepare: (connection: Connection) => void) {
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

export function withDatabaseErrors<Result>(
  { file, shown }: SqliteDatabase,
  work: () => Result,
): Result {
  try {
    return work();
  } catch (error) {
    throw toUserError(error, `The database ${shown} cannot be used`, file);
  }
}

function refuseLock(lock: string, shown: string): UserError {
  const message = `The database ${shown} cannot be used: its lock may not be written.`;
  return new UserError('cli_database', message, {
    details: [`remove ${lock} while no service runs`],
  });
}

function refuseUsed(shown: string, cause: unknown): UserError {
  return new UserError('cli_database', `Another petstore serve is using ${shown}: stop it first.`, {
    cause,
  });
}
