import { isSystemError } from '../../../../files/system-error.ts';
import {
  StoreDamagedError,
  StoreMalformedError,
  StoreOpenError,
  StoreUnavailableError,
} from '../../store.ts';

/**
 * SQLite's primary result codes (sqlite.org/rescode.html), its messages, for the driver's `all`, which reports no code,
 * and what they mean to the person who runs the service.
 */
const results = [
  [3, 'access permission denied', 'its file may not be read or written'],
  [5, 'database is locked', 'another program is writing to it'],
  [6, 'database table is locked', 'another connection is writing to it'],
  [8, 'attempt to write a readonly database', 'it is read-only'],
  [10, 'disk I/O error', 'the disk fails'],
  [11, 'database disk image is malformed', 'it is damaged: restore a backup'],
  [13, 'database or disk is full', 'the disk is full'],
  [14, 'unable to open database file', 'its file cannot be opened or created'],
  [26, 'file is not a database', 'its file is not a SQLite database'],
] as const;

/**
 * What SQLite says of a table or column that somebody dropped, all of it with its code for any error of a statement. The
 * statements are ours and fit a whole database, so nothing else makes it say so.
 */
const missing: readonly (readonly [message: RegExp, part: string])[] = [
  [/^no such table: (?:\w+\.)?(\w+)$/, 'table $1'],
  [/^no such column: ([\w.]+)$/, 'column $1'],
  [/^table (\w+) has no column named (\w+)$/, 'column $1.$2'],
];

/** Runs `work` on the database; what it throws becomes an error of the store's port. Waits for nothing that is known at once. */
export function settle<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(toStoreError(error));
  }
}

/** The same for work that never waits, and whose result is not to wait either. @throws what `settle` rejects with */
export function attempt<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Why the database or the system refused something, in the operator's words; undefined of a failure of this program. */
export function findReason(error: unknown): string | undefined {
  // Node's own errors come from files and folders.
  return findDatabaseReason(error) ?? (isSystemError(error) ? error.message : undefined);
}

/** Opens a database; when that fails, says of which path and why. @throws StoreOpenError */
export async function explainOpening<Result>(
  path: string,
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    const reason = findReason(error);
    if (reason === undefined) throw error;
    throw new StoreOpenError(`cannot open the database ${path}: ${reason}`, { cause: error });
  }
}

/** A StoreUnavailableError when the database cannot be used now; any other failure stays as it is. */
export function toStoreError(error: unknown): unknown {
  const reason = findDatabaseReason(error);
  if (reason === undefined) return error;
  const Kind = findKind(error);
  return new Kind(`the database cannot be used: ${reason}`, { cause: error });
}

/** Whether the disk failed, after which a write may still turn out to be on it. */
export function isDiskFailure(error: unknown): boolean {
  return findResult(error)?.[0] === 10;
}

/** Whether a connection found its file read-only, which it goes on believing when that has changed. */
export function isReadOnly(error: unknown): boolean {
  return findResult(error)?.[0] === 8;
}

/** Whether another connection holds the lock that was asked for. */
export function isBusy(error: unknown): boolean {
  return findResult(error)?.[0] === 5;
}

/** Of what has a reason: other than its codes that is a missing part only. */
function findKind(error: unknown) {
  const [code] = findResult(error) ?? [];
  if (code === undefined) return StoreDamagedError;
  return code === 11 || code === 26 ? StoreMalformedError : StoreUnavailableError;
}

function findDatabaseReason(error: unknown): string | undefined {
  const [, , reason] = findResult(error) ?? [];
  return reason ?? describeMissing(error);
}

function describeMissing(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const found = missing.find(([pattern]) => pattern.test(error.message));
  if (found === undefined) return undefined;
  const [message, part] = found;
  return `it is damaged (its ${error.message.replace(message, part)} is missing): restore a backup`;
}

/** SQLite's extended result codes have the primary one in their low byte. */
function findResult(error: unknown) {
  if (!(error instanceof Error)) return undefined;
  if (!('errcode' in error)) return results.find(([, message]) => message === error.message);
  const primary = Number(error.errcode) & 0xff;
  return results.find(([code]) => code === primary);
}
