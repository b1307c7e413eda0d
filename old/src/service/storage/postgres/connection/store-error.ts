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

/** It leads to a server that may not write, or through a pooler to another session. */
const uselessConnection = ['25006', '26000', '42P05'];

/** A table or column, or the index that keeps idempotency keys unique. */
const missingPart = ['42P01', '42703', '42P10'];

/** Of a table or an index. */
const malformedPage = ['XX001', 'XX002'];

/** The database itself does not know whether it committed. */
const COMPLETION_UNKNOWN = '40003';

/** Codes of a COMMIT that certainly was a rollback; others may have come after it reached the disk. */
const rolledBack = /^(23|40)/;

/** The server's SQLSTATE; undefined where the failure does not come from it. */
function findState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Whether a transaction was rolled back because of another one and can be retried at once. */
export function isConflict(error: unknown): boolean {
  const state = findState(error);
  return state === '40001' || state === '40P01';
}

/** Whether a failure shows that this connection cannot be used again: it ended, or leads to one that may not write. */
export function isConnectionUnusable(error: unknown): boolean {
  const state = findState(error);
  return state === undefined || endOfSession.test(state) || uselessConnection.includes(state);
}

/** What a failed statement means to callers of the store; `error` comes from the driver. */
export function toStoreError(error: unknown, isCommit = false): unknown {
  if (error instanceof StoreUnavailableError) return error;
  const state = findState(error);
  if (state === undefined) {
    return new StoreOutcomeUnknownError('the connection to the database was lost', {
      cause: error,
    });
  }
  if (
    endOfSession.test(state) ||
    state === COMPLETION_UNKNOWN ||
    (isCommit && !rolledBack.test(state))
  ) {
    return new StoreOutcomeUnknownError(`the database failed while it was used (${state})`, {
      cause: error,
    });
  }
  const reason = findReason(error);
  if (reason === undefined) return error;
  const Kind = findKind(state);
  return new Kind(`the database cannot be used now: ${reason}`, { cause: error });
}

function findKind(state: string) {
  if (malformedPage.includes(state)) return StoreMalformedError;
  return missingPart.includes(state) ? StoreDamagedError : StoreUnavailableError;
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
