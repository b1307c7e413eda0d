import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { IDEMPOTENCY_LIFETIME_MS } from '../../../../src/contract/headers.ts';
import { parseJson } from '../../../../src/contract/json.ts';
import { serviceLimits } from '../../../../src/service/limits.ts';
import { type Database, parseDatabaseUrl } from '../../../../src/service/storage/database-url.ts';
import { backUp, checkDatabase } from '../../../../src/service/storage/maintenance.ts';
import { openStore } from '../../../../src/service/storage/open-store.ts';
import type { Store } from '../../../../src/service/storage/store.ts';
import { portOf } from '../../../support/http-server.ts';
import { openPostgresCluster } from '../../../support/postgres-cluster.ts';
import { execute, usePostgres } from '../../../support/postgres-database.ts';
import { waitFor } from '../../../support/wait-for.ts';

const { createDatabase } = usePostgres();
const now = new Date('2026-11-25T10:00:00.123Z');
const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
const addRex = (store: Store, count = 1) =>
  store.addPets(
    Array.from({ length: count }, () => ({ pet, keyId: 1n })),
    now,
  );

async function open(url: string): Promise<Store> {
  const store = await openStore(parseDatabaseUrl(url), { isExclusive: true });
  onTestFinished(() => store.close());
  return store;
}

/** From another database, as one that is read-only refuses it. It applies to connections that are opened after it. */
async function alterDatabase(url: string, change: string): Promise<void> {
  const server = new URL(url);
  server.pathname = '/postgres';
  await execute(server.href, `ALTER DATABASE ${new URL(url).pathname.slice(1)} ${change}`);
}

async function lockRows(url: string, sql: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(sql);
  onTestFinished(() => client.end());
  return async () => void (await client.query('ROLLBACK'));
}

it('keeps no idempotency key that is older than seven days', async () => {
  const url = await createDatabase();
  const store = await open(url);
  const add = (idempotencyKey: string, at: Date) =>
    store.addPets([{ pet, keyId: 1n, idempotencyKey }], at);
  await add('old', now);
  await add('new', new Date(now.getTime() + IDEMPOTENCY_LIFETIME_MS));
  // Adding one with its name fails, unless it is gone.
  await execute(url, "INSERT INTO idempotency_keys (key, pet_id, created_at) VALUES ('old', 1, 0)");
});

describe('several instances on one database', () => {
  it('create the tables once when they start together', async () => {
    const url = await createDatabase();
    const stores = await Promise.all(Array.from({ length: 5 }, () => open(url)));
    expect(stores).toHaveLength(5);
  });

  it('give out ids that become visible in their order', async () => {
    const url = await createDatabase();
    const [first, second, reader] = [await open(url), await open(url), await open(url)];
    let isAdding = true;
    const adding = Promise.all(
      [first, second].map(async (store) => {
        for (let batch = 0; batch < 40; batch += 1) await addRex(store, 3);
      }),
    ).finally(() => {
      isAdding = false;
    });
    while (isAdding) {
      const { json } = await reader.listPets({ limit: 500, order: 'asc' });
      const ids = (json.match(/"id":\d+/g) ?? []).map((text) => Number(text.slice(5)));
      expect(ids).toEqual(ids.map((_, index) => index + 1));
    }
    await adding;
  });

  it('add a pet once for the same idempotency key at the same time', async () => {
    const url = await createDatabase();
    const stores = await Promise.all([open(url), open(url), open(url)]);
    const addition = { pet, keyId: 1n, idempotencyKey: 'a' };
    const outcomes = await Promise.all(stores.map((store) => store.addPets([addition], now)));
    expect(
      outcomes
        .flat()
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['added', 'replayed', 'replayed']);
  });
});

describe('whatever the server is set to', () => {
  it.each([
    "datestyle = 'German'",
    "timezone = 'Asia/Kathmandu'",
    "bytea_output = 'escape'",
    "default_transaction_isolation = 'repeatable read'",
    "default_transaction_isolation = 'serializable'",
    'synchronous_commit = off',
    'standard_conforming_strings = off',
  ])('%s: pets and keys are the same', async (setting) => {
    const url = await createDatabase();
    await alterDatabase(url, `SET ${setting}`);
    const [store, other] = [await open(url), await open(url)];
    const times = { createdAt: now, expiresAt: now };
    const hash = Buffer.alloc(32, 0x5c);
    const key = await store.createKey({ hash, name: 'till-3', access: 'write', ...times });
    await Promise.all([addRex(store, 5), addRex(other, 5)]);
    expect(await store.findKey(hash)).toEqual({ ...key, ...times });
    expect(await store.readAudit({ limit: 1 })).toMatchObject([{ id: 10n, addedAt: now }]);
  });

  it('a commit waits for the disk', async () => {
    const url = await createDatabase();
    await alterDatabase(url, 'SET synchronous_commit = off');
    const store = await open(url);
    await execute(
      url,
      `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         NEW.name = current_setting('synchronous_commit'); RETURN NEW; END $$;
       CREATE TRIGGER note BEFORE INSERT ON pets FOR EACH ROW EXECUTE FUNCTION note()`,
    );
    await addRex(store);
    expect(parseJson((await store.findPet(1n)) ?? '')).toMatchObject({ name: 'on' });
  });
});

/** Connections of which the server still waits for a lock. */
async function countWaiting(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  await client.end();
  return rows.length;
}

describe('a database that cannot be used', () => {
  it('is unavailable while it is read-only, and works again by itself', async () => {
    const url = await createDatabase();
    const store = await open(url);
    await addRex(store);
    await alterDatabase(url, 'SET default_transaction_read_only = on');
    await disconnectAll(url);
    await waitFor(() =>
      expect(addRex(store)).rejects.toMatchObject({ name: 'StoreError', isOutcomeUnknown: false }),
    );
    await expect(store.checkWritable()).rejects.toThrow('the database cannot be used');
    await alterDatabase(url, 'RESET default_transaction_read_only');
    await waitFor(async () =>
      expect(await addRex(store)).toMatchObject([{ kind: 'added', id: 2n }]),
    );
  });

  it('refuses reads when 512 wait for a connection', async () => {
    const url = await createDatabase();
    const store = await open(url);
    const unlock = await lockRows(url, 'LOCK TABLE pets IN ACCESS EXCLUSIVE MODE');
    const reads = Array.from({ length: serviceLimits.waitingReads + 50 }, () => store.findPet(1n));
    const refused = await Promise.race(reads).catch((error) => error);
    expect(refused).toMatchObject({
      message: 'too many requests are waiting for the database: try again',
    });
    await unlock();
    const served = (await Promise.allSettled(reads)).filter(({ status }) => status === 'fulfilled');
    expect(served.length).toBeGreaterThanOrEqual(serviceLimits.waitingReads);
  });

  it('gives up what gets no response', async () => {
    const url = await createDatabase();
    const store = await open(url);
    await lockRows(url, 'LOCK TABLE pets IN ACCESS EXCLUSIVE MODE');
    await expect(addRex(store)).rejects.toMatchObject({ name: 'StoreError' });
    await waitFor(async () => expect(await countWaiting(url)).toBe(0));
  });

  it('is unavailable while its server is stopped, and works again by itself', async () => {
    const cluster = await openPostgresCluster();
    onTestFinished(cluster.close);
    const store = await open(cluster.url);
    await addRex(store);
    await cluster.stop();
    await expect(addRex(store)).rejects.toMatchObject({ name: 'StoreError' });
    await expect(store.listPets({ limit: 1, order: 'asc' })).rejects.toMatchObject({
      name: 'StoreError',
    });
    await cluster.start();
    await waitFor(async () =>
      expect(await addRex(store)).toMatchObject([{ kind: 'added', id: 2n }]),
    );
  });

  it('leaves the outcome open when the server ends during a commit', async () => {
    const url = await createDatabase();
    const store = await open(url);
    await execute(
      url,
      `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
       CREATE CONSTRAINT TRIGGER die AFTER INSERT ON pets INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION die()`,
    );
    await expect(addRex(store)).rejects.toMatchObject({
      name: 'StoreError',
      isOutcomeUnknown: true,
    });
  });
});

it.each([
  ['40001', false],
  // Statement completion unknown.
  ['40003', true],
])('whether the outcome is open after a commit that fails with %s: %s', async (code, isUnknown) => {
  const url = await createDatabase();
  const store = await open(url);
  await execute(
    url,
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION USING ERRCODE = '${code}'; END $$;
     CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON pets INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION fail()`,
  );
  await expect(addRex(store)).rejects.toMatchObject({
    name: 'StoreError',
    isOutcomeUnknown: isUnknown,
  });
});

describe('a database that cannot be opened is refused in words without its password', () => {
  it.each([
    ['no server', { port: '1' }, 'no server listens there'],
    ['no host', { hostname: 'nowhere.invalid' }, 'no host of this name'],
    ['no database', { pathname: '/nothing' }, 'does not exist'],
    ['wrong password', { password: 'Sesame9' }, 'the password is wrong'],
    ['a password for a user', { username: 'Sesame9' }, 'the password is wrong'],
    ['no TLS', { search: '?sslmode=require' }, 'does not support SSL'],
    ['no file', { search: '?sslrootcert=/nothing.pem' }, 'there is no file /nothing.pem'],
  ])('%s', async (_case, change, words) => {
    const url = new URL(await createDatabase());
    Object.assign(url, change);
    const opened = open(url.href);
    await expect(opened).rejects.toMatchObject({ code: 'cli_database' });
    await expect(opened).rejects.toThrow(words);
    await expect(opened).rejects.not.toThrow(url.password);
  });

  it('no password, and the connection is closed', async () => {
    const url = new URL(await createDatabase());
    const { port } = url;
    const server = createServer((socket) => socket.pipe(connect(Number(port))).pipe(socket));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    Object.assign(url, { password: '', port: portOf(server) });
    const connection = once(server, 'connection');
    await expect(open(url.href)).rejects.toThrow('no password was supplied');
    const [socket] = await connection;
    await waitFor(() => expect(socket.closed).toBe(true));
  });

  it('nothing that speaks PostgreSQL', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `postgres://till:Sesame9@127.0.0.1:${portOf(server)}/petstore`;
    await expect(open(url)).rejects.toMatchObject({ code: 'cli_database' });
  });

  it('one that cannot hold every name', async () => {
    const main = await createDatabase();
    const url = new URL(main);
    const name = `${url.pathname.slice(1)}_latin1`;
    const options = "TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'";
    await execute(main, `CREATE DATABASE ${name} ${options}`);
    onTestFinished(() => execute(main, `DROP DATABASE ${name} WITH (FORCE)`));
    url.pathname = `/${name}`;
    await expect(open(url.href)).rejects.toMatchObject({
      message: expect.stringContaining('cannot hold every name'),
      details: ["create the database with ENCODING 'UTF8'"],
    });
  });

  it('a newer one', async () => {
    const url = await createDatabase();
    await open(url);
    await execute(url, 'UPDATE petstore_schema SET version = 99');
    await expect(open(url)).rejects.toThrow('was written by a newer petstore');
  });
});

it('says what to type where tables may not be created, and takes lost rights for unavailable', async () => {
  const admin = await createDatabase();
  const url = new URL(admin);
  const login = `LOGIN PASSWORD '${url.password}'`;
  await execute(admin, `CREATE ROLE clerk ${login}; REVOKE ALL ON SCHEMA public FROM PUBLIC`);
  onTestFinished(() => execute(admin, 'DROP OWNED BY clerk; DROP ROLE clerk'));
  url.username = 'clerk';
  const line = 'GRANT USAGE, CREATE ON SCHEMA public TO clerk;';
  await expect(open(url.href)).rejects.toMatchObject({
    details: [expect.stringContaining(line)],
  });
  await execute(admin, line);
  const store = await open(url.href);
  await addRex(store);
  await execute(admin, 'ALTER TABLE pets OWNER TO CURRENT_USER; REVOKE ALL ON pets FROM clerk');
  await expect(addRex(store)).rejects.toMatchObject({ name: 'StoreError' });
  await expect(store.checkWritable()).rejects.toThrow('permission denied');
});

it('counts the loss of a connection, also of one that nobody uses', async () => {
  const url = await createDatabase();
  const store = await open(url);
  const before = store.countLosses();
  await disconnectAll(url);
  await waitFor(async () => expect(store.countLosses()).toBeGreaterThan(before));
});

it('a store is created only where it may be', async () => {
  const database = parseDatabaseUrl(await createDatabase());
  const isOpened = async (mustExist: boolean) => {
    const store = await openStore(database, { isExclusive: false, mustExist });
    await store.close();
    return store.isNew;
  };
  await expect(isOpened(true)).rejects.toThrow('There is no pet store in');
  expect(await isOpened(false)).toBe(true);
  expect(await isOpened(true)).toBe(false);
});

it.each([checkDatabase, (database: Database) => backUp(database, 'copy.db')])(
  'is checked and backed up by its own tools',
  async (work) => {
    const database = parseDatabaseUrl('postgres://db.test/petstore');
    await expect(work(database)).rejects.toThrow('with its own pg_');
  },
);

/** As a restart would. */
async function disconnectAll(url: string): Promise<void> {
  await execute(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
}
