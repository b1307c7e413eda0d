import { DatabaseError } from 'pg';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../store.ts';

/** SQLSTATEs (PostgreSQL manual, appendix A) and classes of them that pass by themselves or once an operator acted. */
const passing: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^40/, 'writers got in each other’s way'],
  [/^55P03|^57014/, 'it did not answer in time'],
  [/^25006/, 'it is read-only'],
  [/^53100/, 'its disk is full'],
  [/^53/, 'it has no room for more'],
  [/^57P/, 'it is stopping or starting'],
  [/^28|^3D000/, 'it refuses our user or database name'],
];

/** Two writers met and one was turned back whole: worth another attempt at once (SQLSTATE 40001, 40P01). */
export function isTurnedBack(error: unknown): boolean {
  return error instanceof DatabaseError && /^40(001|P01)$/.test(error.code ?? '');
}

/** Whether a failure says that this connection will not serve again: closed by the server, or open to one that may not write. */
export function isConnectionSpent(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || error.code === '25006';
}

/** What a failed statement means to the store's callers; `error` comes from the driver. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailableError) return error;
  if (!(error instanceof DatabaseError) || isEndOfSession(error)) {
    return new StoreOutcomeUnknownError('the connection to the database was lost', {
      cause: error,
    });
  }
  const reason = passing.find(([code]) => code.test(error.code ?? ''))?.[1];
  return reason === undefined
    ? error
    : new StoreUnavailableError(`the database cannot be used now: ${reason}`, { cause: error });
}

/** Ended in the middle of a statement, which may already have been committed (SQLSTATE 57P01, 57P02). */
function isEndOfSession(error: DatabaseError): boolean {
  return error.severity !== 'ERROR' || /^57P0[12]$/.test(error.code ?? '');
}
