import { DatabaseError } from 'pg';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../../store.ts';

/**
 * SQLSTATEs (PostgreSQL manual, appendix A) and classes of them that end by themselves or once an operator acted.
 * Severity and text are in the server's language, so nothing is judged by them.
 */
const temporary: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^40/, 'writers conflicted'],
  [/^55P03|^57014/, 'it did not respond in time'],
  [/^25006/, 'it is read-only'],
  [/^53100/, 'its disk is full'],
  [/^53/, 'it has no resources left'],
  [/^28|^3D000/, 'it refuses this user or database name'],
  [/^26000|^42P05/, 'a pooler in front of it shares sessions: it must be in session mode'],
  [
    /^42501/,
    'its user lacks a right: GRANT SELECT, INSERT, UPDATE, DELETE on the tables to that user',
  ],
];

/** An undefined table or column: the statements are ours and fit a whole store, so somebody dropped it. */
export const missingPart = /^42P01|^42703/;

/** The session ended or its server failed, or a pooler says so; a commit may have been made before that. */
const endOfSession = /^08|^25P0[345]|^57P|^58/;

/** The database itself does not know whether it committed. */
const completionUnknown = /^40003/;

/** Codes of a COMMIT that certainly was a rollback; others may have come after it reached the disk. */
const rolledBack = /^(23|40(?!003))/;

/** Whether a transaction was rolled back because of another one and can be retried at once (SQLSTATE 40001, 40P01). */
export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && /^40(001|P01)$/.test(error.code ?? '');
}

/** Whether a failure shows that this connection cannot be used again: it ended, or leads to one that may not write. */
export function isConnectionUnusable(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  const code = error.code ?? '';
  return endOfSession.test(code) || /^(25006|26000|42P05)/.test(code);
}

/** What a failed statement means to callers of the store; `error` comes from the driver. */
export function toStoreError(error: unknown, isCommit = false): unknown {
  if (error instanceof StoreUnavailableError) return error;
  if (!(error instanceof DatabaseError)) {
    return new StoreOutcomeUnknownError('the connection to the database was lost', {
      cause: error,
    });
  }
  const code = error.code ?? '';
  if (
    endOfSession.test(code) ||
    completionUnknown.test(code) ||
    (isCommit && !rolledBack.test(code))
  ) {
    return new StoreOutcomeUnknownError(`the database failed while it was used (${code})`, {
      cause: error,
    });
  }
  const reason = missingPart.test(code)
    ? `it is damaged (${error.message}): restore a backup`
    : temporary.find(([pattern]) => pattern.test(code))?.[1];
  return reason === undefined
    ? error
    : new StoreUnavailableError(`the database cannot be used now: ${reason}`, { cause: error });
}
