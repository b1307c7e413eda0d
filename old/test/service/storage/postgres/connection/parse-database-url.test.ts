import { expect, it } from 'vitest';
import { parseDatabaseUrl } from '../../../../../src/service/storage/postgres/connection/parse-database-url.ts';

it('reads every part of the URL, percent-encoding undone', () => {
  expect(
    parseDatabaseUrl(
      'postgresql://till%203:p%40ss%2Fword@127.0.0.1:6543/pet%20store?statement_timeout=900',
    ),
  ).toEqual({
    user: 'till 3',
    password: 'p@ss/word',
    host: '127.0.0.1',
    port: 6543,
    database: 'pet store',
    application_name: 'petstore',
    statement_timeout: 900,
    ssl: false,
  });
});

it('takes a socket, its port and the user as parameters, as libpq does', () => {
  expect(
    parseDatabaseUrl('postgres:///pets?host=/run/postgresql&port=5433&user=clerk'),
  ).toMatchObject({
    ...{ host: '/run/postgresql', port: 5433, user: 'clerk', database: 'pets', ssl: false },
  });
});

it.each([
  ['postgres://localhost/pets', false],
  ['postgres:///pets', false],
  ['postgres:///pets?host=/run/postgresql', false],
  ['postgres://[::1]/pets', false],
  ['postgres://db.example/pets', {}],
  ['postgres://db.example/pets?sslmode=require', {}],
  ['postgres://db.example/pets?sslmode=disable', false],
  ['postgres://db.example/pets?sslmode=no-verify', { rejectUnauthorized: false }],
  ['postgres://localhost/pets?sslmode=verify-full', {}],
  ['postgres://db.example/pets?sslmode=verify-ca', { checkServerIdentity: expect.any(Function) }],
])('%s is spoken to with TLS %j', (url, ssl) => {
  expect(parseDatabaseUrl(url).ssl).toEqual(ssl);
});

it('takes the URL that Neon gives out', () => {
  expect(
    parseDatabaseUrl(
      'postgresql://ann:secret@ep-cool-1.eu-central-1.aws.neon.tech/pets?sslmode=require&channel_binding=require&connect_timeout=10',
    ),
  ).toMatchObject({ ssl: {}, enableChannelBinding: true, connectionTimeoutMillis: 10_000 });
});

it.each([
  ['postgres://db.example/pets', undefined],
  ['postgres://db.example/pets?channel_binding=disable', undefined],
  ['postgres://db.example/pets?channel_binding=prefer', true],
  ['postgres://localhost/pets?channel_binding=prefer', undefined],
])('%s binds the password to the channel: %s', (url, expected) => {
  expect(parseDatabaseUrl(url).enableChannelBinding).toBe(expected);
});

it.each([
  ['postgres://localhost', 'it has no database name'],
  ['postgres://localhost/', 'it has no database name'],
  ['postgres://localhost/a/b', 'it has no database name'],
  ['postgres://h:port/pets', 'it is not a PostgreSQL URL'],
  ['mysql://localhost/pets', 'it is not a PostgreSQL URL'],
  ['postgres://till:100%secret@localhost/pets', '^(?!.*secret).*Write it as %25'],
  ['postgres://localhost/pets?sslmode=prefer', 'sslmode must be one of disable,'],
  ['postgres://localhost/pets?pool=9', 'pool is not a parameter'],
  ['postgres://localhost/pets?statement_timeout=soon', 'statement_timeout must be milliseconds'],
  ['postgres://localhost/pets?connect_timeout=0', 'connect_timeout must be seconds, from 1'],
  ['postgres://localhost/pets?channel_binding=require', 'channel_binding=require needs TLS'],
  ['postgres://x.example/pets?channel_binding=yes', 'must be one of disable, prefer, require'],
  [
    'postgres://x.example/pets?sslrootcert=/absent.pem',
    'sslrootcert=/absent.pem of the database URL',
  ],
])('%s is refused, saying why', (url, reason) => {
  expect(() => parseDatabaseUrl(url)).toThrow(new RegExp(reason));
});
