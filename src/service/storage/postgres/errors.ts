import { DatabaseError } from 'pg';
import { codeOf, messageOf, UserError } from '../../../errors.ts';
import { StoreError } from '../store.ts';

/**
 * SQLSTATEs, and classes of them, that say nothing of the statement (PostgreSQL manual, appendix A): connection, login,
 * database, read-only, conflict, rights, a table or column that is gone, resources, lock, shutdown, system.
 */
const passing = /^(08|25006|25P0[34]|28|3D|3F|40|42501|42703|42P01|53|55P03|57|58)/;

/** Codes of a COMMIT that certainly was a rollback; others may have come after it reached the disk. */
const rolledBack = /^(23|40(?!003))/;

/** What an error of the driver means to callers of the port; one of the statement itself is a bug, and stays as it is. */
export function toStoreError(error: unknown, isCommit: boolean): unknown {
  if (isStatementError(error) && !isCommit) return error;
  return new StoreError(`the database cannot be used: ${describeCause(error)}`, {
    cause: error,
    isOutcomeUnknown: isCommit && !rolledBack.test(findState(error) ?? ''),
  });
}

/** The same where a person is told: what the port throws, for a database that is being opened, checked or copied. */
export function toUserError(error: unknown, shown: string): unknown {
  const cause = error instanceof StoreError ? error.cause : error;
  if (cause === error && !(error instanceof DatabaseError)) return error;
  const message = `The database ${shown} cannot be used: ${describeCause(cause)}.`;
  return new UserError('cli_database', message, { cause });
}

function isStatementError(error: unknown): boolean {
  const state = findState(error);
  return state !== undefined && !passing.test(state);
}

function findState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Node's errors, of which one of several addresses has no text. The server's texts are in its own language. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens there',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'there is no host of this name',
  ETIMEDOUT: 'nothing responds there',
  // The server would repeat the user, in place of which somebody may have typed a password.
  '28P01': 'the user name or the password is wrong',
};

function describeCause(error: unknown): string {
  const message = messageOf(error);
  // The driver's, of a server that asks for one.
  if (/password must be a (non-empty )?string/.test(message)) return 'no password was supplied';
  return reasons[codeOf(error)] ?? message;
}
