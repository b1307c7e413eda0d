import { DatabaseError } from 'pg';
import { messageOf } from '../../../../errors.ts';

/** What to do about the most frequent SQLSTATEs (PostgreSQL manual, appendix A) and system errors of opening. */
const remedies: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/^28/, 'user name or password is wrong, or pg_hba.conf does not allow this user from here'],
  [/^3D000/, 'there is no database of this name: create it with createdb'],
  [
    /^42501/,
    'this user may not create tables there: GRANT CREATE ON SCHEMA public, or own the database',
  ],
  [/^25006/, 'it is a read-only replica: use the primary'],
  [/^53300/, 'it has no connection left: raise max_connections'],
  [/^57P03/, 'it is starting or stopping: try again'],
  [/^ECONNREFUSED|^ENOENT/, 'no server listens there: is it running?'],
  [/^ENOTFOUND|^EAI_AGAIN/, 'there is no host of this name'],
];

/** Says why a database could not be opened and what to do next. `shownUrl` carries no password. */
export function describeOpenFailure(error: unknown, shownUrl: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = messageOf(error);
  const known = remedies.find(([pattern]) => pattern.test(code))?.[1];
  const remedy = known ?? findRemedy(code, message);
  const detail =
    error instanceof DatabaseError || known === undefined ? ` (${message || code})` : '';
  return `the database ${shownUrl} cannot be opened: ${remedy ?? 'it sent an unexpected response'}${detail}`;
}

function findRemedy(code: string, message: string): string | undefined {
  if (message === 'timeout expired') {
    return 'nothing responds there: is the host right, and does a firewall block the connection?';
  }
  if (/password must be/.test(message)) return 'it requires a password: set PGPASSWORD';
  if (/does not support SSL/.test(message)) {
    return 'the server does not offer TLS: enable it there, or accept an unencrypted connection with sslmode=disable';
  }
  if (/ALTNAME/.test(code)) return 'its certificate is for another host name';
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return 'its certificate is not trusted: give the authority with sslrootcert=<file>';
  }
  return undefined;
}
