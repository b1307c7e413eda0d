import { StoreOpenError, StoreUnavailableError } from '../../store.ts';

/** SQLite's primary result codes (sqlite.org/rescode.html) that mean something to the person who runs the service. */
const reasons = new Map([
  [3, 'its file may not be read or written'],
  [5, 'another program is writing to it'],
  [6, 'another connection is writing to it'],
  [8, 'it is read-only'],
  [11, 'it is damaged: restore a backup'],
  [14, 'its file cannot be opened or created'],
  [26, 'its file is not a SQLite database'],
]);

/** Further reasons while opening; later, a disk that is full or fails stays an internal error (500). */
const openReasons = new Map([...reasons, [10, 'the disk fails'], [13, 'the disk is full']]);

/** Runs `work` on the database; what it throws becomes an error of the store's port. Waits for nothing that is known at once. */
export function settle<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(toStoreError(error));
  }
}

/** Opens a database; when that fails, says of which path and why. @throws StoreOpenError */
export async function explainOpening<Result>(
  path: string,
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw toOpenError(path, error);
  }
}

/** A StoreUnavailableError when the database cannot be used now; any other failure stays as it is. */
export function toStoreError(error: unknown): unknown {
  const reason = reasons.get(resultCodeOf(error));
  if (reason === undefined) return error;
  return new StoreUnavailableError(`the database cannot be used: ${reason}`, { cause: error });
}

function toOpenError(path: string, error: unknown): unknown {
  if (error instanceof StoreUnavailableError) return toOpenError(path, error.cause);
  const reason = openReasons.get(resultCodeOf(error)) ?? describeFileError(error);
  if (reason === undefined) return error;
  return new StoreOpenError(`cannot open the database ${path}: ${reason}`, { cause: error });
}

/** Node's own errors come from creating the folder. */
function describeFileError(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? error.message : undefined;
}

/** Whether a connection found its file read-only, which it goes on believing when that has changed (SQLITE_READONLY). */
export function isReadOnly(error: unknown): boolean {
  return resultCodeOf(error) === 8;
}

/** Whether another connection holds the lock that was asked for (SQLITE_BUSY). */
export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === 5;
}

/** SQLite's messages, for the driver's `all`, which reports no code. */
const codes = new Map([
  ['access permission denied', 3],
  ['database is locked', 5],
  ['database table is locked', 6],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['file is not a database', 26],
]);

/** The primary result code: the low byte of what SQLite reports. */
function resultCodeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  const code = 'errcode' in error ? error.errcode : codes.get(error.message);
  return typeof code === 'number' ? code & 0xff : 0;
}
