import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../../src/service/storage/postgres/open-postgres-store.ts';
import {
  type Store,
  StoreOutcomeUnknownError,
  StoreUnavailableError,
} from '../../../../src/service/storage/store.ts';
import { freezePostgres } from '../../../support/attacks/freeze-postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import {
  findPostgresObstacle,
  openPostgresCluster,
  type PostgresCluster,
} from '../../../support/postgres-cluster.ts';
import { waitFor } from '../../../support/wait-for.ts';

const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
const page = { after: 0n, limit: 5 };

/** Longer than anything may wait for a database that does not respond, in milliseconds. */
const LONGEST_WAIT_MS = 3_500;

describe.skipIf(findPostgresObstacle())('a database that stalls', () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await openPostgresCluster();
  });
  afterAll(() => cluster?.close());

  /** A store with all its connections open. */
  async function openUsedStore(): Promise<Store> {
    const store = await openPostgresStore(cluster.url);
    onTestFinished(store.close);
    await Promise.all([store.listPets(page), store.listPets(page), store.checkReady()]);
    await store.addPets([{ pet }], new Date());
    return store;
  }

  it('keeps nobody waiting, refuses more at once, and is used again at once when it responds', async () => {
    const store = await openUsedStore();
    const frozen = await freezePostgres(cluster);
    onTestFinished(frozen.thaw);
    const ready = store.checkReady();
    const start = performance.now();
    const [adding, reading] = [store.addPets([{ pet }], new Date()), store.listPets(page)];
    const outcomes = Promise.allSettled([adding, reading]);
    await waitFor(() => expect(store.isStalled()).toBe(true));
    const refused = performance.now();
    await expect(store.addPets([{ pet }], new Date())).rejects.toThrow(
      'has not responded for a second',
    );
    expect(performance.now() - refused).toBeLessThan(100);
    expect(await outcomes).toMatchObject([
      { reason: expect.any(StoreOutcomeUnknownError) },
      { reason: expect.any(StoreUnavailableError) },
    ]);
    expect(performance.now() - start).toBeLessThan(LONGEST_WAIT_MS);
    await frozen.thaw();
    await ready;
    await waitFor(() => store.addPets([{ pet }], new Date()));
    await store.listPets(page);
  });

  it('does not keep the store from closing', async () => {
    const store = await openUsedStore();
    const frozen = await freezePostgres(cluster);
    onTestFinished(frozen.thaw);
    const adding = store.addPets([{ pet }], new Date()).catch(() => {});
    const start = performance.now();
    await store.close();
    expect(performance.now() - start).toBeLessThan(2_000);
    await adding;
  });

  it('is told from one that makes an add wait for its turn', async () => {
    const store = await openUsedStore();
    const holder = await connectClient(cluster.url);
    await holder.query("BEGIN; UPDATE id_counters SET last_id = last_id WHERE name = 'pets'");
    const adding = store.addPets([{ pet }], new Date());
    await waitFor(() => expect(store.isStalled()).toBe(true));
    await expect(store.checkReady()).rejects.toThrow('an add has waited');
    // Longer than a stall is waited for.
    await pause(LONGEST_WAIT_MS - 1_000);
    await holder.query('ROLLBACK');
    expect(await adding).toMatchObject([{ kind: 'added' }]);
    await store.checkReady();
  });

  it('is read by the other connection while a statement of one is slow', async () => {
    const store = await openUsedStore();
    const holder = await connectClient(cluster.url);
    await holder.query('BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    const slow = store.listKeys();
    await pause(60);
    const start = performance.now();
    for (let read = 0; read < 20; read += 1)
      await Promise.all([store.listPets(page), store.listPets(page)]);
    expect(performance.now() - start).toBeLessThan(1_000);
    await holder.query('ROLLBACK');
    expect(await slow).toEqual([]);
  });
});
