import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { DatabaseError } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Connection,
  openConnection,
} from '../../../../src/service/storage/postgres/connection/open-connection.ts';
import { parseDatabaseUrl } from '../../../../src/service/storage/postgres/connection/parse-database-url.ts';
import { toStoreError } from '../../../../src/service/storage/postgres/connection/store-error.ts';
import { openPostgresStore } from '../../../../src/service/storage/postgres/open-postgres-store.ts';
import { createPetWriter } from '../../../../src/service/storage/postgres/pet-writer.ts';
import {
  type Store,
  StoreOutcomeUnknownError,
  StoreUnavailableError,
} from '../../../../src/service/storage/store.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import { findPostgresObstacle, openPostgresCluster } from '../../../support/postgres-cluster.ts';
import { readStoredPets } from '../../../support/stored-pets.ts';

const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

/** A store that is closed at the end of the test. */
async function openTestStore(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  onTestFinished(store.close);
  return store;
}

describe.skipIf(findPostgresObstacle())('a database that becomes unavailable', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('is used again after the server crashed, with every add it acknowledged', async () => {
    const cluster = await openPostgresCluster();
    onTestFinished(cluster.close);
    const store = await openTestStore(cluster.url);
    await store.addPets([{ pet }], new Date());
    await cluster.stop();
    const calls = [
      () => store.checkReady(),
      () => store.listPets({ after: 0n, limit: 5 }),
      () => store.addPets([{ pet }], new Date()),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailableError);
    await cluster.start();
    await vi.waitFor(() => store.checkReady(), { timeout: 10_000 });
    await vi.waitFor(() => store.addPets([{ pet }], new Date()), { timeout: 10_000 });
    expect(readStoredPets(await store.listPets({ after: 0n, limit: 5 }))).toHaveLength(2);
  });

  it('is read without an error when its connections were closed meanwhile', async () => {
    const store = await openTestStore(database.url);
    await store.checkReady();
    const client = await connectClient(database.url);
    await endSessions(client);
    await expect(store.checkReady()).resolves.toBeUndefined();
    await expect(store.findPet(0n)).resolves.toBeUndefined();
  });

  it('reports an unknown outcome when the connection is lost during an add', async () => {
    const store = await openTestStore(database.url);
    const [holder, operator] = [
      await connectClient(database.url),
      await connectClient(database.url),
    ];
    await holder.query("BEGIN; UPDATE id_counters SET last_id = last_id WHERE name = 'pets'");
    const adding = store.addPets([{ pet }], new Date());
    const failure = expect(adding).rejects.toThrow(StoreOutcomeUnknownError);
    await vi.waitFor(async () =>
      expect(await endSessions(operator, "wait_event_type = 'Lock'")).toBe(1),
    );
    await failure;
    await holder.query('ROLLBACK');
    expect(await store.addPets([{ pet }], new Date())).toMatchObject([{ kind: 'added' }]);
  });

  it('cancels an add that waits too long for its turn, stores nothing and continues', async () => {
    const url = new URL(database.url);
    url.searchParams.set('statement_timeout', '200');
    const store = await openTestStore(url.href);
    const before = await store.listPets({ after: 0n, limit: 100 });
    const holder = await connectClient(database.url);
    await holder.query("BEGIN; UPDATE id_counters SET last_id = last_id WHERE name = 'pets'");
    const adding = store.addPets([{ pet, idempotencyKey: 'late' }], new Date());
    await expect(adding).rejects.toThrow('it did not respond in time');
    expect(await store.listPets({ after: 0n, limit: 100 })).toEqual(before);
    await holder.query('ROLLBACK');
    const [outcome] = await store.addPets([{ pet, idempotencyKey: 'late' }], new Date());
    expect(outcome?.kind).toBe('added');
  });

  it('counts as lost when it no longer responds, and is used again when it does', async () => {
    const proxy = await openProxy(database.url);
    const url = new URL(proxy.url);
    url.searchParams.set('statement_timeout', '200');
    const store = await openTestStore(url.href);
    await Promise.all([
      store.checkReady(),
      store.checkReady(),
      store.addPets([{ pet }], new Date()),
    ]);
    proxy.isSilent = true;
    const [adding, reading] = await Promise.allSettled([
      store.addPets([{ pet }], new Date()),
      store.listPets({ after: 0n, limit: 5 }),
    ]);
    expect(adding).toMatchObject({ reason: expect.any(StoreOutcomeUnknownError) });
    expect(reading).toMatchObject({ reason: expect.any(StoreUnavailableError) });
    proxy.isSilent = false;
    await vi.waitFor(() => store.addPets([{ pet }], new Date()), { timeout: 10_000 });
  });

  it('does not keep the store from closing when it no longer responds', async () => {
    const proxy = await openProxy(database.url);
    const store = await openPostgresStore(proxy.url);
    await Promise.all([
      store.checkReady(),
      store.checkReady(),
      store.addPets([{ pet }], new Date()),
    ]);
    proxy.isSilent = true;
    await store.close();
  });

  it.each([
    { code: '40001', failures: 4, kind: 'added' },
    { code: '40P01', failures: 4, kind: 'added' },
    { code: '40001', failures: 5, kind: 'rejected' },
  ])(
    'retries a batch that was rolled back $failures times with $code: $kind',
    async ({ code, failures, kind }) => {
      await (await openTestStore(database.url)).checkReady();
      const connection = openConnection(parseDatabaseUrl(database.url));
      onTestFinished(connection.close);
      let count = 0;
      // As servers do that never block a writer; PostgreSQL itself blocks it.
      const transact: Connection['transact'] = async (...statements) => {
        count += 1;
        if (count <= failures) {
          throw toStoreError(
            Object.assign(new DatabaseError('rolled back', 0, 'error'), {
              code,
              severity: 'ERROR',
            }),
          );
        }
        return await connection.transact(...statements);
      };
      const writer = createPetWriter({ query: connection.query, transact });
      const outcome = await writer.addPets([{ pet }], new Date()).then(
        ([added]) => added?.kind,
        (error: unknown) => (error instanceof StoreUnavailableError ? 'rejected' : error),
      );
      expect(outcome).toBe(kind);
    },
  );

  it('is unavailable for adds while it is read-only, and written again once it is not', async () => {
    const store = await openTestStore(database.url);
    const name = new URL(database.url).pathname.slice(1);
    const client = await connectClient(database.url);
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await endSessions(client);
    await vi.waitFor(async () => {
      await expect(store.addPets([{ pet }], new Date())).rejects.toThrow('it is read-only');
    });
    await expect(store.checkReady()).rejects.toThrow('it is read-only');
    await client.query('SET default_transaction_read_only = off');
    await client.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await vi.waitFor(() => store.addPets([{ pet }], new Date()));
    await store.checkReady();
  });
});

/** Closes other sessions on this database, as an operator or a failover would. Returns how many. */
async function endSessions(client: Awaited<ReturnType<typeof connectClient>>, which = 'true') {
  const { rowCount } = await client.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${which}`,
  );
  return rowCount;
}

/** A proxy between a store and its database that can drop everything either sends, the end of a connection included. */
async function openProxy(target: string): Promise<{ url: string; isSilent: boolean }> {
  const { hostname, port } = new URL(target);
  const proxy = { url: '', isSilent: false };
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => proxy.isSilent || to.write(chunk));
      from.on('end', () => proxy.isSilent || to.end());
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  proxy.url = Object.assign(new URL(target), { hostname: '127.0.0.1', port: address.port }).href;
  return proxy;
}
