import { existsSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../errors.ts';

/** Which database to use. `shown` is how messages call it: never with a user name, a password or parameters. */
export type Database =
  | { readonly kind: 'sqlite'; readonly file: string; readonly shown: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly shown: string };

const forms = 'sqlite:<path> or postgres://<user>@<host>/<database>';
const encodings = '# as %23, / as %2F, ? as %3F, @ as %40, % as %25';

/**
 * Reads `sqlite:<path>`, a plain path, or `postgres://…` as the driver takes it. The only place that describes a database:
 * of a text that cannot be read nothing is repeated, as it may hold a password.
 * @throws UserError `cli_database`
 */
export function parseDatabaseUrl(given: string): Database {
  const text = given.trim();
  if (/^['"]|['"]$/.test(text)) throw refuseUrl('it is in quotation marks: remove them');
  if (/^postgres(ql)?:\/\//i.test(text)) return parsePostgresUrl(text);
  const file = /^sqlite:(.*)$/is.exec(text)?.[1] ?? (isPlainPath(text) ? text : undefined);
  if (file === undefined) throw refuseUrl(`write ${forms}`);
  return parseSqliteFile(file);
}

/** The database that was given, or petstore.db in the data folder, which is asked for only then. */
export function resolveDatabase(given: string | undefined, findDataFolder: () => string): Database {
  return given === undefined
    ? parseSqliteFile(path.join(findDataFolder(), 'petstore.db'))
    : parseDatabaseUrl(given);
}

/** Anything with a colon or an at sign may be a URL with a typing error, and `password=…` what libpq takes; a drive letter is none. */
function isPlainPath(text: string): boolean {
  return text !== '' && !/[:@=]/.test(text.replace(/^[a-z]:[\\/]/i, ''));
}

function parseSqliteFile(file: string): Database {
  if (file === '' || file === ':memory:') throw refuseUrl('write the path of a file after sqlite:');
  // A URL behind it, with its password, would become the name of a file.
  if (/^['"]?[a-z]+:\/\//i.test(file)) throw refuseUrl(`write ${forms}`);
  if (/^\/\/(?!\/)/.test(file)) throw refuseUrl('write sqlite:<path>, without // before the path');
  if (file.startsWith('~')) throw refuseUrl('~ is not expanded here: write the whole path');
  const resolved = path.resolve(file);
  return { kind: 'sqlite', file: resolved, shown: `sqlite:${resolved}` };
}

function parsePostgresUrl(text: string): Database {
  const [, afterHost = ''] = /^[^:]+:\/\/[^/?#]*(.*)$/s.exec(text) ?? [];
  // A # / or ? in a password ends the host too early: then its rest, up to the @, follows.
  if (!URL.canParse(text) || /[@#]/.test(afterHost)) {
    throw refuseUrl(`in a user name or password, write ${encodings}`);
  }
  const url = new URL(text);
  const query = url.searchParams;
  if (query.has('password') || query.get('user')?.includes(':')) {
    throw refuseUrl(
      'write the user and the password before the host: postgres://<user>:<password>@<host>/…',
    );
  }
  checkParameters(query);
  if (url.pathname.length < 2)
    throw refuseUrl('the name of the database is missing after the host');
  const host = url.host || query.get('host') || '';
  return { kind: 'postgres', url: text, shown: `postgres://${host}${url.pathname}` };
}

/** What the driver reads. It ignores every other parameter, of which one may be meant to protect the connection. */
const fileParameters = ['sslrootcert', 'sslcert', 'sslkey'];
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];
const parameters = [
  ...['host', 'port', 'user', 'application_name', 'options', 'sslmode'],
  ...fileParameters,
];

/** The name of an unknown one is not repeated: it may be part of a password. */
function checkParameters(query: URLSearchParams): void {
  const names = [...query.keys()];
  if (names.some((name) => !parameters.includes(name)))
    throw refuseUrl(`its parameters may be ${parameters.join(', ')}`);
  // The driver takes the last one, where the first was checked.
  if (new Set(names).size < names.length) throw refuseUrl('it has a parameter twice');
  if (!sslModes.includes(query.get('sslmode') ?? 'disable'))
    throw refuseUrl(`sslmode must be one of ${sslModes.join(', ')}`);
  for (const name of fileParameters) {
    const file = query.get(name);
    if (file !== null && !existsSync(file)) throw refuseUrl(`there is no file ${file} (${name})`);
  }
}

function refuseUrl(reason: string): UserError {
  return new UserError('cli_database', `The database URL cannot be used: ${reason}.`);
}

/** A database in which no store was ever created. */
export function refuseMissing(shown: string): UserError {
  return new UserError('cli_database', `There is no pet store in ${shown}.`, {
    details: ['No service has used it: name the database that petstore serve uses.'],
  });
}

/** A database that this program does not understand. */
export function refuseNewer(shown: string): UserError {
  const message = `${shown} was written by a newer petstore: update this one.`;
  return new UserError('cli_database', message);
}
