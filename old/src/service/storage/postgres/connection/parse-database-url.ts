import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { StoreOpenError } from '../../store.ts';

const parameters = [
  ...['application_name', 'channel_binding', 'connect_timeout', 'host', 'options', 'port'],
  ...['sslcert', 'sslkey', 'sslmode', 'sslrootcert', 'statement_timeout', 'user'],
];

/** The TLS options of each `sslmode`. `require` also verifies, unlike libpq. */
const tlsModes: Record<string, false | ConnectionOptions> = {
  disable: false,
  'no-verify': { rejectUnauthorized: false },
  require: {},
  'verify-ca': { checkServerIdentity: () => undefined },
  'verify-full': {},
};

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…` into the driver's settings.
 * Another machine is reached over verified TLS unless `sslmode` says otherwise.
 * @throws StoreOpenError that says what is wrong, never the password.
 */
export function parseDatabaseUrl(text: string): ClientConfig {
  const url = readUrl(text);
  const query = url.searchParams;
  const unknown = [...query.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) {
    throw refuse(`${unknown} is not a parameter of it. Allowed: ${parameters.join(', ')}`);
  }
  const database = decode(url.pathname.slice(1));
  if (database === '' || database.includes('/')) {
    throw refuse('it has no database name, as in postgres://user@host/database');
  }
  const host = query.get('host') ?? decode(url.hostname).replace(/^\[(.+)\]$/, '$1');
  const ssl = readTls(query, host);
  return {
    database,
    host: host || 'localhost',
    port: Number(query.get('port') ?? url.port) || undefined,
    user: (query.get('user') ?? decode(url.username)) || undefined,
    password: readPassword(url),
    application_name: query.get('application_name') ?? 'petstore',
    options: query.get('options') ?? undefined,
    statement_timeout: readStatementTimeout(query),
    connectionTimeoutMillis: readConnectTimeout(query),
    ssl,
    enableChannelBinding: readChannelBinding(query, ssl !== false),
  };
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw refuse('it is not a PostgreSQL URL such as postgres://user@host/database');
  }
  return url;
}

/** Decodes percent-encoding. What fails may be the password, so it is not shown. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse('it has a % that encodes nothing. Write it as %25');
  }
}

/** From the URL, else from libpq's variable, which the driver reads; the empty one keeps it from reading a password file. */
function readPassword(url: URL): ClientConfig['password'] {
  if (url.password !== '') return decode(url.password);
  return process.env.PGPASSWORD ? undefined : () => '';
}

/** Milliseconds after which the server cancels a statement. */
function readStatementTimeout(query: URLSearchParams): number {
  const text = query.get('statement_timeout') ?? '5000';
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw refuse('statement_timeout must be milliseconds, from 1 to 999999');
  }
  return Number(text);
}

/** As in libpq in seconds; here in milliseconds. */
function readConnectTimeout(query: URLSearchParams): number | undefined {
  const text = query.get('connect_timeout');
  if (text === null) return undefined;
  if (!/^[1-9]\d{0,2}$/.test(text)) throw refuse('connect_timeout must be seconds, from 1 to 999');
  return Number(text) * 1_000;
}

/** Whether the password proves that it is for this TLS connection. The driver does so whenever the server offers it. */
function readChannelBinding(query: URLSearchParams, isTls: boolean): true | undefined {
  const text = query.get('channel_binding') ?? 'disable';
  if (!['disable', 'prefer', 'require'].includes(text))
    throw refuse('channel_binding must be one of disable, prefer, require');
  if (text === 'require' && !isTls) throw refuse('channel_binding=require needs TLS: set sslmode');
  return text !== 'disable' && isTls ? true : undefined;
}

function readTls(query: URLSearchParams, host: string): false | ConnectionOptions {
  const mode = query.get('sslmode') ?? (isLocal(host) ? 'disable' : 'verify-full');
  const options = tlsModes[mode];
  if (options === undefined) {
    throw refuse(`sslmode must be one of ${Object.keys(tlsModes).join(', ')}`);
  }
  if (options === false) return false;
  return {
    ...options,
    ca: readFileOf(query, 'sslrootcert'),
    cert: readFileOf(query, 'sslcert'),
    key: readFileOf(query, 'sslkey'),
  };
}

function readFileOf(query: URLSearchParams, name: string): string | undefined {
  const path = query.get(name);
  try {
    return path === null ? undefined : readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StoreOpenError(`${name}=${path} of the database URL cannot be read`, { cause });
  }
}

/** A socket file or a loopback address: nothing leaves this machine. */
function isLocal(host: string): boolean {
  return host === '' || host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
}

function refuse(reason: string): StoreOpenError {
  return new StoreOpenError(`the database URL cannot be used: ${reason}`);
}
