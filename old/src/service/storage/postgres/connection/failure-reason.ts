import { messageOf } from '../../../../errors.ts';

/**
 * Failures that end by themselves or once an operator acted, by their code, a SQLSTATE (PostgreSQL manual, appendix A) or
 * Node's; the driver's own have only a message. The server's severity and text are in its language, so nothing is judged
 * by them.
 */
const reasons: readonly (readonly [codeAndMessage: RegExp, problem: string, remedy?: string])[] = [
  [/^28/, 'user name or password is wrong, or pg_hba.conf does not allow this user from here'],
  [/^3D000/, 'there is no database of this name: create it with createdb'],
  [/^25006/, 'it is read-only, as a replica is: use the primary'],
  [/^40/, 'writers conflicted'],
  [/^55P03|^57014/, 'it did not respond in time'],
  [/^53100/, 'its disk is full'],
  [/^53300/, 'it has no connection left: raise max_connections'],
  [/^53/, 'it has no resources left'],
  [/^26000|^42P05/, 'a pooler in front of it shares sessions: it must be in session mode'],
  [
    /^08P01/,
    'a connection pooler in front of it refuses settings: let it ignore statement_timeout, idle_in_transaction_session_timeout and options, or connect to the database itself',
  ],
  [
    /^42501/,
    'its user lacks a right: GRANT SELECT, INSERT, UPDATE, DELETE on the tables to that user',
  ],
  // Somebody dropped it, as the statements are ours and fit a whole store, or the user cannot see its schema.
  [
    /^42P01/,
    'a table is missing, or its user cannot see it',
    'check search_path and the right USAGE on the schema; otherwise restore a backup',
  ],
  // Likewise for a column, and for the index that keeps idempotency keys unique; a page of a table or an index.
  [/^42703|^42P10|^XX00[12]/, 'it is damaged', 'restore a backup'],
  [
    /^42P07/,
    'it has a table of this name already',
    'give petstore a database or schema of its own, or restore a backup if the table is of petstore',
  ],
  [/^57P03/, 'it is starting or stopping: try again'],
  [/^(ECONNREFUSED|ENOENT)/, 'no server listens there: is it running?'],
  [/^(ENOTFOUND|EAI_AGAIN)/, 'there is no host of this name'],
  [
    /^ timeout expired$|^E(TIMEDOUT|HOSTUNREACH|NETUNREACH)/,
    'nothing responds there: is the host right, and does a firewall block the connection?',
  ],
  [/^ .*password must be/, 'it requires a password: set PGPASSWORD'],
  [
    /^ .*does not support SSL/,
    'the server does not offer TLS: enable it there, or accept an unencrypted connection with sslmode=disable',
  ],
  [/^\S*ALTNAME/, 'its certificate is for another host name'],
  [
    /^\S*(CERT|SELF_SIGNED|UNABLE_TO)/,
    'its certificate is not trusted: give the authority with sslrootcert=<file>',
  ],
];

/** Why the driver or the server failed, and what to do about it, in the operator's words; undefined where that is unknown. */
export function findReason(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = messageOf(error);
  const found = reasons.find(([pattern]) => pattern.test(`${code} ${message}`));
  if (found === undefined) return undefined;
  const [, problem, remedy] = found;
  // A system error says no more than its problem does.
  if (/^E(?!RR_)/.test(code)) return problem;
  return `${problem} (${message || code})${remedy === undefined ? '' : `: ${remedy}`}`;
}
