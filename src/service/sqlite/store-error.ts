import { StoreUnavailableError } from '../store.ts';

/** SQLite's result codes (sqlite.org/rescode.html) for a database that cannot be used now but may be later. */
const passing = new Map([
  [5, 'another program is writing to it'],
  [6, 'another connection is writing to it'],
  [8, 'it is read-only'],
  [14, 'its file cannot be opened'],
]);

/** Names what the store's callers must tell apart; every other failure stays as it is. */
export function toStoreError(error: unknown): unknown {
  const reason = passing.get(resultCodeOf(error));
  return reason === undefined
    ? error
    : new StoreUnavailableError(`the database cannot be used now: ${reason}`, { cause: error });
}

/** The primary result code: the low byte of what SQLite reports. */
function resultCodeOf(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : 0;
}
