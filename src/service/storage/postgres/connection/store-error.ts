import { DatabaseError } from 'pg';
import {
  StoreDamagedError,
  StoreMalformedError,
  StoreOutcomeUnknownError,
  StoreUnavailableError,
} from '../../store.ts';
import { findReason } from './failure-reason.ts';

/** SQLSTATEs and classes of them: the session ended or its server failed, or a pooler says so; a commit may have been made before that. */
const endOfSession = /^08|^25P0[345]|^57P|^58/;

/** A table or column, or the index that keeps idempotency keys unique. */
const missingPart = /^42P01|^42703|^42P10/;

/** Of a table or an index. */
const malformedPage = /^XX00[12]/;

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
  const reason = findReason(error);
  if (reason === undefined) return error;
  const Kind = findKind(code);
  return new Kind(`the database cannot be used now: ${reason}`, { cause: error });
}

function findKind(code: string) {
  if (malformedPage.test(code)) return StoreMalformedError;
  return missingPart.test(code) ? StoreDamagedError : StoreUnavailableError;
}

/** What somebody dropped or deleted, for the operator. */
export function describeMissing(part: string): string {
  return `it is damaged (its ${part} is missing): restore a backup`;
}

/** Ids come from a row that was there when the schema was created. */
export function reportMissingCounter(): StoreDamagedError {
  return new StoreDamagedError(
    `the database cannot be used now: ${describeMissing('counter of ids')}`,
  );
}
