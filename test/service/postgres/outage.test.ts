import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openPostgresStore } from '../../../src/service/postgres/open-postgres-store.ts';
import {
  type Store,
  StoreOutcomeUnknownError,
  StoreUnavailableError,
} from '../../../src/service/store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { connectClient } from '../../support/postgres-client.ts';
import { findPostgresObstacle, openPostgresCluster } from '../../support/postgres-cluster.ts';
import { readStoredPets } from '../../support/stored-pets.ts';

const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

async function openStore(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  onTestFinished(store.close);
  return store;
}

describe.skipIf(findPostgresObstacle())('a database that goes away', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('comes back by itself after the server crashed, with everything it had answered', async () => {
    const cluster = await openPostgresCluster();
    onTestFinished(cluster.close);
    const store = await openStore(cluster.url);
    await store.addPets([{ pet }], new Date());
    await cluster.stop();
    const calls = [
      () => store.ping(),
      () => store.listPets({ after: 0n, limit: 5 }),
      () => store.addPets([{ pet }], new Date()),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailableError);
    await cluster.start();
    await vi.waitFor(() => store.ping(), { timeout: 10_000 });
    await vi.waitFor(() => store.addPets([{ pet }], new Date()), { timeout: 10_000 });
    expect(readStoredPets(await store.listPets({ after: 0n, limit: 5 }))).toHaveLength(2);
  });

  it('reads on without an error when its connections were closed meanwhile', async () => {
    const store = await openStore(database.url);
    await store.ping();
    const client = await connectClient(database.url);
    await endSessions(client);
    await expect(store.ping()).resolves.toBeUndefined();
    await expect(store.findPet(0n)).resolves.toBeUndefined();
  });

  it('says that it does not know when the connection breaks under an add', async () => {
    const store = await openStore(database.url);
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

  it('gives up on an add whose turn does not come, stores nothing and goes on', async () => {
    const url = new URL(database.url);
    url.searchParams.set('statement_timeout', '200');
    const store = await openStore(url.href);
    const before = await store.listPets({ after: 0n, limit: 100 });
    const holder = await connectClient(database.url);
    await holder.query("BEGIN; UPDATE id_counters SET last_id = last_id WHERE name = 'pets'");
    const adding = store.addPets([{ pet, idempotencyKey: 'late' }], new Date());
    await expect(adding).rejects.toThrow('it did not answer in time');
    expect(await store.listPets({ after: 0n, limit: 100 })).toEqual(before);
    await holder.query('ROLLBACK');
    const [outcome] = await store.addPets([{ pet, idempotencyKey: 'late' }], new Date());
    expect(outcome?.kind).toBe('added');
  });

  it('answers unavailable while the database is read-only, and writes again once it is not', async () => {
    const store = await openStore(database.url);
    const name = new URL(database.url).pathname.slice(1);
    const client = await connectClient(database.url);
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await endSessions(client);
    await vi.waitFor(async () => {
      await expect(store.addPets([{ pet }], new Date())).rejects.toThrow('it is read-only');
    });
    await expect(store.ping()).resolves.toBeUndefined();
    await client.query('SET default_transaction_read_only = off');
    await client.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await vi.waitFor(() => store.addPets([{ pet }], new Date()));
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
