import { closeSync, openSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { UserError } from '../errors.ts';
import { shellOf } from '../shell.ts';
import { refuseKind } from './read-own-file.ts';
import { isSystemError } from './system-error.ts';
import { transact } from './transact.ts';
import { createPrivateFolder } from './write-file-atomically.ts';

type Connection = InstanceType<typeof DatabaseSync>;

/** A private SQLite database of this program. A commit that returned survives a power cut. */
export interface LocalDatabase extends Pick<Connection, 'prepare' | 'exec'> {
  /** Runs `work` between BEGIN IMMEDIATE and COMMIT. @throws UserError `cli_file` when the database cannot be written. */
  transact<Result>(work: () => Result): Result;
  /** Runs statements that only read. @throws UserError `cli_file` when the database cannot be read. */
  read<Result>(work: () => Result): Result;
  /** Closes the file and releases its lock, whatever statements are left; once is enough. */
  close(): void;
}

/** A log that is longer is moved into the database: short enough to be read at every start. */
const LOG_PAGES = 250;

export interface LocalDatabaseOptions {
  file: string;
  /** Run once, on a new database. */
  schema: string;
  /** Of the schema; a database of another version is refused. */
  version: number;
  /** Held by this process alone from now until `close`, or until the process ends, however it ends. */
  isExclusive?: boolean;
  /**
   * Keeps a write-ahead log: a commit needs one sync, and none once `synchronous` is NORMAL, which a rollback journal
   * would not forgive.
   */
  hasLog?: boolean;
  /** How long one short write waits for another, in milliseconds. */
  timeout?: number;
  /** What is lost with the file, for the person who has to move away one that cannot be used. */
  loss?: string;
}

/** Another process, or another part of this one, holds the database. */
export class DatabaseLockedError extends UserError {
  constructor(file: string, cause: unknown) {
    super('cli_file', `${file} is in use by another petstore`, { cause });
  }
}

const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens the database and creates it when there is none. The file is attached to an empty database in memory, because
 * the driver cannot finalize statements: only DETACH closes the file and releases its lock while some are left.
 * @throws DatabaseLockedError when it is held exclusively elsewhere, UserError `cli_file` when it cannot be used.
 */
export function openLocalDatabase(options: LocalDatabaseOptions): LocalDatabase {
  const { file, isExclusive, hasLog, timeout = BUSY_TIMEOUT_MS } = options;
  return explain(options, () => {
    createPrivateFile(file);
    const connection = new DatabaseSync(':memory:', { timeout: isExclusive ? 0 : timeout });
    connection.exec(`ATTACH '${file.replaceAll("'", "''")}' AS local`);
    const close = () => {
      if (!connection.isOpen) return;
      if (connection.isTransaction) connection.exec('ROLLBACK');
      const reader = hasLog ? openReader(file) : undefined;
      connection.exec('DETACH local');
      connection.close();
      reader?.close();
    };
    try {
      prepareDatabase(connection, options);
    } catch (error) {
      close();
      throw error;
    }
    return {
      prepare: (sql) => explain(options, () => connection.prepare(sql)),
      exec: (sql) => explain(options, () => connection.exec(sql)),
      read: (work) => explain(options, work),
      transact: (work) => explain(options, () => transact(connection, work)),
      close,
    };
  });
}

/**
 * A connection that only reads. The last one that writes would move the log into the database when it closes, which takes
 * several syncs; one that is read-only leaves the log to be moved after many commits.
 */
function openReader(file: string): Connection | undefined {
  try {
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('SELECT count(*) FROM sqlite_schema');
    return reader;
  } catch {
    return undefined;
  }
}

/** EXTRA syncs the folder too: without it a power cut could bring back the journal of the newest commit. */
function prepareDatabase(connection: Connection, options: LocalDatabaseOptions): void {
  const { schema, version, isExclusive, hasLog } = options;
  if (isExclusive) connection.exec('PRAGMA local.locking_mode = EXCLUSIVE');
  if (hasLog)
    connection.exec(`PRAGMA local.journal_mode = WAL; PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
  connection.exec('PRAGMA local.synchronous = EXTRA');
  const setVersion = () => {
    const { user_version: found } = connection.prepare('PRAGMA local.user_version').get();
    if (found === version) return;
    if (found !== 0) throw refuseVersion(options, found);
    connection.exec(`${schema}; PRAGMA local.user_version = ${version}`);
  };
  transact(connection, setVersion, isExclusive ? 'EXCLUSIVE' : 'IMMEDIATE');
}

/** Only the owner may read it, its journal included, which takes the mode of the database. */
function createPrivateFile(file: string): void {
  createPrivateFolder(path.dirname(file));
  try {
    // Never opens one that exists: to close it again would release the locks this process holds on it (fcntl).
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
    const status = statSync(file);
    if (!status.isFile()) throw refuseKind(file, status);
  }
}

/** SQLite's primary result codes (sqlite.org/rescode.html) in words. */
const reasons = new Map([
  [3, 'permission denied'],
  [8, 'it is read-only'],
  [10, 'the disk failed'],
  [11, 'it is damaged'],
  [13, 'the disk is full'],
  [14, 'it cannot be opened'],
  [26, 'it is not a SQLite database'],
]);

const LOCKED = 5;
const DAMAGED = [11, 26];

function refuseVersion(options: LocalDatabaseOptions, found: number): UserError {
  const age = found > options.version ? 'a newer' : 'an older';
  const { details = [], next = [] } = adviseMove(options, 'bak');
  return new UserError('cli_file', `${options.file} is from ${age} version of petstore`, {
    details: ['that version can still use it', ...details],
    next,
  });
}

/** The way out of a file that cannot be read; nothing of it is removed. */
function adviseMove({ file, loss }: LocalDatabaseOptions, ending: 'damaged' | 'bak') {
  if (loss === undefined) return {};
  return { details: [loss], next: [shellOf().moveFile(file, `${file}.${ending}`)] };
}

function explain<Result>(options: LocalDatabaseOptions, work: () => Result): Result {
  const { file } = options;
  try {
    return work();
  } catch (cause) {
    const code = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : 0;
    if (code === LOCKED) throw new DatabaseLockedError(file, cause);
    const reason = reasons.get(code) ?? (isSystemError(cause) ? cause.message : undefined);
    if (reason === undefined) throw cause;
    const advice = DAMAGED.includes(code) ? adviseMove(options, 'damaged') : {};
    throw new UserError('cli_file', `${file} cannot be used: ${reason}`, { ...advice, cause });
  }
}
