import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { StoreOpenError } from '../store.ts';

const parameters = [
  'application_name',
  'host',
  'options',
  'port',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'statement_timeout',
  'user',
];

/** How much of TLS each `sslmode` asks for. `require` also verifies, where libpq would not. */
const tlsModes: Record<string, false | ConnectionOptions> = {
  disable: false,
  'no-verify': { rejectUnauthorized: false },
  require: {},
  'verify-ca': { checkServerIdentity: () => undefined },
  'verify-full': {},
};

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…` into the driver's settings.
 * A server elsewhere is spoken to over verified TLS unless `sslmode` says otherwise.
 * @throws StoreOpenError naming what is wrong, never the password.
 */
export function parseDatabaseUrl(text: string): ClientConfig {
  const url = readUrl(text);
  const query = url.searchParams;
  const unknown = [...query.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) {
    throw refuse(`${unknown} is not a parameter it may have. Allowed: ${parameters.join(', ')}`);
  }
  const database = decode(url.pathname.slice(1));
  if (database === '' || database.includes('/')) {
    throw refuse('it names no database. Write postgres://user@host/database');
  }
  const host = query.get('host') ?? decode(url.hostname).replace(/^\[(.+)\]$/, '$1');
  const port = query.get('port') ?? url.port;
  const user = query.get('user') ?? decode(url.username);
  return {
    database,
    host: host || 'localhost',
    ...(port === '' ? {} : { port: Number(port) }),
    ...(user === '' ? {} : { user }),
    ...readPassword(url),
    application_name: query.get('application_name') ?? 'petstore',
    ...(query.has('options') ? { options: query.get('options') ?? '' } : {}),
    statement_timeout: readStatementTimeout(query),
    ssl: readTls(query, host),
  };
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw refuse('it cannot be read. Write postgres://user@host/database');
  }
  return url;
}

/** Undoes percent-encoding. What fails may be the password, so it is not shown. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse('it holds a % that encodes nothing. Write it as %25');
  }
}

/** From the URL, else from libpq's variable, which the driver reads itself; it would look for a password file as well. */
function readPassword(url: URL): Pick<ClientConfig, 'password'> {
  if (url.password !== '') return { password: decode(url.password) };
  return process.env.PGPASSWORD ? {} : { password: () => '' };
}

/** Milliseconds after which the server gives up on a statement. */
function readStatementTimeout(query: URLSearchParams): number {
  const text = query.get('statement_timeout') ?? '5000';
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw refuse('statement_timeout must be milliseconds, from 1 to 999999');
  }
  return Number(text);
}

function readTls(query: URLSearchParams, host: string): false | ConnectionOptions {
  const mode = query.get('sslmode') ?? (isHere(host) ? 'disable' : 'verify-full');
  const options = tlsModes[mode];
  if (options === undefined) {
    throw refuse(`sslmode must be one of ${Object.keys(tlsModes).join(', ')}`);
  }
  return options === false
    ? false
    : {
        ...options,
        ...readFileOf(query, 'sslrootcert', 'ca'),
        ...readFileOf(query, 'sslcert', 'cert'),
        ...readFileOf(query, 'sslkey', 'key'),
      };
}

function readFileOf(query: URLSearchParams, name: string, option: 'ca' | 'cert' | 'key') {
  const path = query.get(name);
  if (path === null) return {};
  try {
    return { [option]: readFileSync(path, 'utf8') };
  } catch (error) {
    throw new StoreOpenError(`${name}=${path} of the database URL cannot be read`, {
      cause: error,
    });
  }
}

/** A socket file or a loopback address: nobody is on the wire. */
function isHere(host: string): boolean {
  return host === '' || host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
}

function refuse(reason: string): StoreOpenError {
  return new StoreOpenError(`the database URL is not usable: ${reason}`);
}
