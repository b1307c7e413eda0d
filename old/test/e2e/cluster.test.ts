import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pet, Pets } from '../../src/contract/pet.ts';
import { issueKey } from '../../src/service/keys/issue-key.ts';
import { openStore } from '../../src/service/storage/databases.ts';
import { findFreePort } from '../support/free-port.ts';
import { call, post } from '../support/http.ts';
import { type LoadRecord, runMixedLoad } from '../support/mixed-load.ts';
import { findNginxObstacle, type Nginx, openNginx } from '../support/nginx.ts';
import {
  findPostgresObstacle,
  openPostgresCluster,
  type PostgresCluster,
} from '../support/postgres-cluster.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitFor } from '../support/wait-for.ts';

/** How often each thing goes wrong: once in the whole suite, many times in `npm run test:cluster`. */
const ROUNDS = Number(process.env.PETSTORE_TEST_ROUNDS ?? 1);
const INSTANCES = 3;
/** Within what time after the database is back every instance adds again; the longest pause between attempts is half a second. */
const RECOVERY_MS = 5_000;

const obstacle = findPostgresObstacle() ?? findNginxObstacle();

describe.skipIf(obstacle)('three instances on one database', () => {
  let database: PostgresCluster;
  let nginx: Nginx;
  let ports: number[];
  let instances: ServiceProcess[];
  let key: string;
  let keyId: bigint;

  const start = (port: number) =>
    startServiceProcess(port, { PETSTORE_SERVE_DATABASE: database.url });

  beforeAll(async () => {
    // A server that confirms commits before they are on the disk: the service must not let it.
    database = await openPostgresCluster({
      durable: true,
      settings: ['synchronous_commit = off', 'wal_writer_delay = 10s'],
    });
    ports = await Promise.all(Array.from({ length: INSTANCES }, findFreePort));
    // On an empty database, all at once: one of them creates the tables.
    instances = await Promise.all(ports.map(start));
    nginx = await openNginx(ports);
    await issueTestKey();
  });

  afterAll(async () => {
    await nginx?.close();
    await Promise.all(instances?.map((instance) => instance.kill()) ?? []);
    await database?.close();
  });

  async function issueTestKey(): Promise<void> {
    const store = await openStore(database.url, { isShared: true });
    const issued = await issueKey(store, { name: 'cluster', createdAt: new Date() });
    await store.close();
    key = issued.key;
    keyId = issued.record.id;
  }

  const everyInstance = () => instances.map(({ url }) => ({ url, key }));

  it('add one pet for parallel duplicates with one Idempotency-Key', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        everyInstance().map((instance) =>
          post(instance, `{"name":"Duplicate ${index}","categoryId":7}`, {
            'idempotency-key': `duplicate-${index}`,
          }),
        ),
      ).flat(),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    const duplicates = (await listAll({ url: instances[0]?.url ?? '', key })).filter(({ name }) =>
      name.startsWith('Duplicate '),
    );
    expect(duplicates).toHaveLength(20);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(20);
    expect(responses.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(40);
  });

  it('refuse a key within a second of its revocation at one of them', async () => {
    const [before, beforeId] = [key, keyId];
    await issueTestKey();
    const statuses = () =>
      Promise.all(
        instances.map(async ({ url }) => (await call({ url, key: before }, '/pets')).status),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    const store = await openStore(database.url, { isShared: true });
    await store.revokeKey(beforeId, new Date());
    const deadline = performance.now() + 1_000;
    await store.close();
    // Requests after that second must be refused; sooner is fine.
    for (let isRefused = false; !isRefused; ) {
      const isLate = performance.now() >= deadline;
      const responses = await statuses();
      isRefused = responses.every((status) => status === 401);
      if (isLate) expect(responses).toEqual([401, 401, 401]);
    }
  });

  it('stop with 0 when asked to, even while the database is unavailable', async () => {
    const [first] = everyInstance();
    if (first === undefined) throw new Error('no instance');
    // A use of the key that is still to be written.
    expect((await call(first, '/pets')).status).toBe(200);
    await database.stop();
    expect((await post(first, '{"name":"Rex","categoryId":1}')).status).toBe(503);
    expect(await instances[0]?.stop()).toBe(0);
    await database.start();
    instances[0] = await start(ports[0] ?? 0);
    await waitUntilAllAdd();
  });

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'lose and duplicate no acknowledged pet while one is killed and the database restarted, round %i',
    async () => {
      const target = { url: `${nginx.url}/v1`, key };
      const before = await listAll(target);
      const { record, result: recovery } = await runMixedLoad(target, disturb);
      const all = await listAll(target);
      expect(all.slice(0, before.length)).toEqual(before);
      expectKept(record, all.slice(before.length));
      for (const instance of everyInstance()) expect(await listAll(instance)).toEqual(all);
      if (ROUNDS > 1) process.stdout.write(`${describeRound(record, recovery)}\n`);
    },
    120_000,
  );

  async function waitUntilAllAdd(): Promise<void> {
    await waitFor(async () => {
      const responses = await Promise.all(
        everyInstance().map((instance) => post(instance, '{"name":"Back","categoryId":1}')),
      );
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    });
  }

  /**
   * Lets one instance be killed and started again, as systemd would, then the database crash and come back.
   * Resolves with the milliseconds that it took from there until every instance added again.
   */
  async function disturb(underLoad: () => Promise<void>): Promise<number> {
    await underLoad();
    const victim = Math.floor(Math.random() * INSTANCES);
    await instances[victim]?.kill();
    await pause(500);
    instances[victim] = await start(ports[victim] ?? 0);
    await pause(300);
    await database.stop();
    await pause(300);
    await database.start();
    const backAt = performance.now();
    await waitUntilAllAdd();
    const recovery = performance.now() - backAt;
    expect(recovery).toBeLessThan(RECOVERY_MS);
    await underLoad();
    return recovery;
  }
});

function expectKept(record: LoadRecord, all: Pet[]): void {
  const names = all.map(({ name }) => name).filter((name) => name !== 'Back');
  expect(record.faults).toEqual([]);
  expect(
    [...record.statuses.keys()].filter((status) => ![200, 201, 409, 503].includes(status)),
  ).toEqual([]);
  expect(names.length).toBe(new Set(names).size);
  const byName = new Map(all.map(({ name, id }) => [name, id]));
  for (const [name, id] of record.added)
    expect(`${name} ${byName.get(name)}`).toBe(`${name} ${id}`);
  for (const name of names) expect(record.tried).toContain(name);
}

function describeRound({ statuses, added }: LoadRecord, recovery: number): string {
  const responses = [...statuses].sort().map(([status, count]) => `${count} x ${status}`);
  return `${added.size} adds acknowledged; ${responses.join(', ')}; adding again after ${Math.round(recovery)} ms`;
}

async function listAll(target: { url: string; key: string }): Promise<Pet[]> {
  const all: Pet[] = [];
  for (let query: string | undefined = '?limit=100'; query !== undefined; ) {
    const { body, headers } = await call(target, `/pets${query}`);
    all.push(...v.parse(Pets, body));
    query = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  return all;
}
