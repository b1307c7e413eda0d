import type { ClientConfig } from 'pg';
import { messageOf } from '../../../../errors.ts';
import { maskDatabaseUrl } from '../../database-engine.ts';
import { StoreOpenError, StoreUnavailableError } from '../../store.ts';
import { hasSchema, migrate } from './migrations.ts';
import { parseDatabaseUrl } from './parse-database-url.ts';
import { missingPart } from './store-error.ts';

/** Brings a database to the schema of this program and returns how to connect to it. @throws StoreOpenError */
export async function openDatabase(url: string): Promise<ClientConfig> {
  return await explainOpening(url, async (config) => {
    await migrate(config);
    return config;
  });
}

/** Whether a database has the tables of a store, of any version. @throws StoreOpenError */
export async function hasStore(url: string): Promise<boolean> {
  return await explainOpening(url, hasSchema);
}

/** Runs `work` on a database and says in the operator's words why it could not be done. @throws StoreOpenError */
export async function explainOpening<Result>(
  url: string,
  work: (config: ClientConfig) => Promise<Result>,
): Promise<Result> {
  const config = parseDatabaseUrl(url);
  try {
    return await work(config);
  } catch (error) {
    if (error instanceof StoreOpenError) throw error;
    const cause = error instanceof StoreUnavailableError ? (error.cause ?? error) : error;
    throw new StoreOpenError(
      `the database ${maskDatabaseUrl(url)} cannot be opened: ${describeFailure(cause)}`,
      { cause },
    );
  }
}

/** What to do about errors by their code, a SQLSTATE (PostgreSQL manual, appendix A) or Node's; the driver's own have only a message. */
const remedies: readonly (readonly [codeAndMessage: RegExp, remedy: string])[] = [
  [/^28/, 'user name or password is wrong, or pg_hba.conf does not allow this user from here'],
  [/^3D000/, 'there is no database of this name: create it with createdb'],
  [/^25006/, 'it is a read-only replica: use the primary'],
  [/^53300/, 'it has no connection left: raise max_connections'],
  [
    /^08P01/,
    'a connection pooler in front of it refuses settings: let it ignore statement_timeout, idle_in_transaction_session_timeout and options, or connect to the database itself',
  ],
  [missingPart, 'it is damaged: restore a backup'],
  [/^57P03/, 'it is starting or stopping: try again'],
  [/^(ECONNREFUSED|ENOENT)/, 'no server listens there: is it running?'],
  [/^(ENOTFOUND|EAI_AGAIN)/, 'there is no host of this name'],
  [
    /^ timeout expired$/,
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

function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = messageOf(error);
  const remedy = remedies.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  // A system error says no more than its remedy does.
  if (remedy !== undefined && /^E(?!RR_)/.test(code)) return remedy;
  return `${remedy ?? 'it sent an unexpected response'} (${message || code})`;
}
