import { DatabaseError } from 'pg';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../../store.ts';

/** SQLSTATEs (PostgreSQL manual, appendix A) and classes of them that end by themselves or once an operator acted. */
const temporary: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^40/, 'writers conflicted'],
  [/^55P03|^57014/, 'it did not respond in time'],
  [/^25006/, 'it is read-only'],
  [/^53100/, 'its disk is full'],
  [/^53/, 'it has no resources left'],
  [/^57P/, 'it is stopping or starting'],
  [/^28|^3D000/, 'it refuses this user or database name'],
];

/** Whether a transaction was rolled back because of another one and can be retried at once (SQLSTATE 40001, 40P01). */
export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && /^40(001|P01)$/.test(error.code ?? '');
}

/** Whether a failure shows that this connection cannot be used again: closed by the server, or to one that may not write. */
export function isConnectionUnusable(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || error.code === '25006';
}

/** What a failed statement means to callers of the store; `error` comes from the driver. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailableError) return error;
  if (!(error instanceof DatabaseError) || isEndOfSession(error)) {
    return new StoreOutcomeUnknownError('the connection to the database was lost', {
      cause: error,
    });
  }
  const reason = temporary.find(([code]) => code.test(error.code ?? ''))?.[1];
  return reason === undefined
    ? error
    : new StoreUnavailableError(`the database cannot be used now: ${reason}`, { cause: error });
}

/** Whether the session ended during a statement, which may have been committed already (SQLSTATE 57P01, 57P02). */
function isEndOfSession(error: DatabaseError): boolean {
  return error.severity !== 'ERROR' || /^57P0[12]$/.test(error.code ?? '');
}
