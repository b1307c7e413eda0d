import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { portOf } from '../../../../src/service/http/server/listen.ts';
import { openPostgresStore } from '../../../../src/service/storage/postgres/open-postgres-store.ts';
import { StoreOpenError } from '../../../../src/service/storage/store.ts';
import {
  createTestDatabase,
  createTestSchema,
  type TestDatabase,
} from '../../../support/postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';

describe.skipIf(findPostgresObstacle())('opening a store in PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  function change(
    parts: Partial<Pick<URL, 'password' | 'pathname' | 'port' | 'search' | 'hostname'>>,
  ) {
    return Object.assign(new URL(database.url), parts).href;
  }

  async function refusalOf(url: string): Promise<string> {
    const error = await openPostgresStore(url).then(
      (store) => store.close(),
      (refusal: unknown) => refusal,
    );
    expect(error).toBeInstanceOf(StoreOpenError);
    return String(error);
  }

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'lets ten programs open a new database at once, round %i',
    async () => {
      const empty = await createTestSchema();
      onTestFinished(empty.drop);
      const stores = await Promise.all(
        Array.from({ length: 10 }, () => openPostgresStore(empty.url)),
      );
      const client = await connectClient(empty.url);
      const { rows } = await client.query('SELECT version FROM petstore_schema');
      await Promise.all(stores.map((store) => store.close()));
      expect(rows).toEqual([{ version: 2 }]);
    },
  );

  it('refuses a database that a newer program wrote', async () => {
    const newer = await createTestDatabase();
    onTestFinished(newer.drop);
    await (await openPostgresStore(newer.url)).close();
    await (await connectClient(newer.url)).query('UPDATE petstore_schema SET version = 99');
    expect(await refusalOf(newer.url)).toMatch('schema version 99, this program knows only 2');
  });

  it('refuses a database that is one schema version newer, and changes nothing in it', async () => {
    const newer = await createTestDatabase();
    onTestFinished(newer.drop);
    const store = await openPostgresStore(newer.url);
    const pet = { name: 'Rex', categoryId: 7n, status: 'sold' as const };
    await store.addPets([{ pet, idempotencyKey: 'k1' }], new Date());
    await store.close();
    const client = await connectClient(newer.url);
    const [{ version }] = (await client.query('SELECT version FROM petstore_schema')).rows;
    await client.query('UPDATE petstore_schema SET version = version + 1');
    const before = await readContents(client);
    expect(before).toContain(`"version":${version + 1}`);
    expect(before).toContain('"name":"Rex"');
    expect(await refusalOf(newer.url)).toMatch(`schema version ${version + 1}`);
    expect(await readContents(client)).toBe(before);
  });

  it('opens for a user who may not make tables when they are there, and says what is missing when not', async () => {
    const user = `${new URL(database.url).pathname.slice(1)}_clerk`;
    const admin = await connectClient(database.url);
    await admin.query(`CREATE USER ${user} PASSWORD 'for-this-test'`);
    onTestFinished(() => admin.query(`DROP USER ${user}`).then(() => {}));
    const asClerk = { username: user, password: 'for-this-test' };

    const made = await createTestDatabase();
    onTestFinished(made.drop);
    await (await openPostgresStore(made.url)).close();
    await (await connectClient(made.url)).query(`GRANT SELECT ON petstore_schema TO ${user}`);
    await (await openPostgresStore(Object.assign(new URL(made.url), asClerk).href)).close();

    const empty = await createTestDatabase();
    onTestFinished(empty.drop);
    const refusal = await refusalOf(Object.assign(new URL(empty.url), asClerk).href);
    expect(refusal).toMatch('GRANT CREATE ON SCHEMA public');
  });

  it.each([
    {
      what: 'a wrong password',
      parts: { password: 'wrong' },
      says: 'user name or password is wrong',
    },
    {
      what: 'a password that is missing',
      parts: { password: '' },
      says: 'it requires a password: set PGPASSWORD',
    },
    {
      what: 'a database that is not there',
      parts: { pathname: '/absent' },
      says: 'create it with createdb',
    },
    {
      what: 'a port where nothing listens',
      parts: { port: '1' },
      says: 'no server listens there',
    },
    {
      what: 'a server without TLS where TLS is asked for',
      parts: { search: '?sslmode=require' },
      says: 'the server does not offer TLS',
    },
    {
      what: 'a host that does not exist',
      parts: { hostname: 'absent.invalid' },
      says: 'there is no host of this name',
    },
  ])('says what to do about $what, and never the password', async ({ parts, says }) => {
    const message = await refusalOf(change(parts));
    expect(message).toMatch(says);
    expect(message).not.toMatch(new URL(database.url).password);
    expect(message).not.toMatch('wrong@');
  });

  it('gives up on an address where something listens and says nothing', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void mute.close());
    await once(mute, 'listening');
    const port = String(portOf(mute));
    const start = performance.now();
    const url = change({ port, search: '?connect_timeout=1' });
    expect(await refusalOf(url)).toMatch('nothing responds there');
    expect(performance.now() - start).toBeGreaterThan(900);
  });

  it('refuses a database that cannot hold every name', async () => {
    const name = `${new URL(database.url).pathname.slice(1)}_latin`;
    const client = await connectClient(database.url);
    await client.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'`);
    onTestFinished(async () => {
      const admin = await connectClient(database.url);
      await admin.query(`DROP DATABASE ${name}`);
    });
    expect(await refusalOf(change({ pathname: `/${name}` }))).toMatch(
      "create one with ENCODING 'UTF8'",
    );
  });
});

/** Every table with its columns and rows, and every index, as text. */
async function readContents(client: Client): Promise<string> {
  const { rows: columns } = await client.query(
    "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
  );
  const { rows: indexes } = await client.query(
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
  );
  const tables = [...new Set(columns.map(({ table_name: table }) => String(table)))];
  const contents = [];
  for (const table of tables) {
    const { rows } = await client.query(`SELECT * FROM "${table}" AS t ORDER BY t::text`);
    contents.push([table, rows]);
  }
  return JSON.stringify([columns, indexes, contents]);
}
