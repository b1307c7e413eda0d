import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { type Pet, Pets } from '../../src/contract/pet.ts';
import type { FailoverCluster } from './failover-cluster.ts';
import { call, post } from './http.ts';
import { type LoadRecord, type LoadTarget, runMixedLoad } from './mixed-load.ts';
import { waitFor } from './wait-for.ts';

export const disturbances = ['failover', 'switchover', 'lost replica', 'read-only'] as const;
export type Disturbance = (typeof disturbances)[number];

export interface RoundResult {
  /** Promises that were not kept. */
  readonly faults: readonly string[];
  readonly acknowledged: number;
  /** Milliseconds from the end of the operator's last step until every instance added again. */
  readonly recovery: number;
}

/** Longer than it may take; the round then says so and goes on. */
const RECOVERY_MS = 5_000;
const GIVE_UP_MS = 40_000;

/** How long commits wait for a lost replica, and how long a database is read-only, at least, in milliseconds. */
const DISTURBED_MS = 500;

/** Disturbs the database under load, and holds what is there afterwards against what clients were told. */
export async function runFailoverRound(
  cluster: FailoverCluster,
  disturbance: Disturbance,
): Promise<RoundResult> {
  const target = { url: cluster.url, key: cluster.key };
  const before = await listAll(target);
  const faults: string[] = [];
  let isOver = false;
  const [{ record, result: recovery }, followed] = await Promise.all([
    runMixedLoad(target, (underLoad) => disturb[disturbance](cluster, underLoad, faults)).finally(
      () => {
        isOver = true;
      },
    ),
    follow(target, () => isOver),
  ]);
  const all = await listAll(target);
  faults.push(...record.faults, ...findLosses(record, before, all));
  if (!isStart(followed, all)) faults.push('a reader that followed the links missed a pet');
  for (const { url } of cluster.instances)
    if (!isSame(await listAll({ url, key: cluster.key }), all)) faults.push(`${url} lists others`);
  if (recovery > RECOVERY_MS) faults.push(`adding again only after ${Math.round(recovery)} ms`);
  return { faults, acknowledged: record.added.size, recovery };
}

/** Each waits for load before and after it disturbs, and resolves with the milliseconds until every instance added again. */
const disturb: Record<
  Disturbance,
  (cluster: FailoverCluster, underLoad: () => Promise<void>, faults: string[]) => Promise<number>
> = {
  async failover(cluster, underLoad) {
    await underLoad();
    await cluster.pair.killPrimary();
    await cluster.pair.promote();
    const recovery = await waitUntilAllAdd(cluster);
    await cluster.pair.addReplica('copy');
    await underLoad();
    return recovery;
  },
  async switchover(cluster, underLoad) {
    await underLoad();
    await cluster.pair.stopPrimary();
    await cluster.pair.promote();
    const recovery = await waitUntilAllAdd(cluster);
    await cluster.pair.addReplica('own files');
    await underLoad();
    return recovery;
  },
  async 'lost replica'(cluster, underLoad) {
    await underLoad();
    await cluster.pair.killReplica();
    await pause(DISTURBED_MS);
    await cluster.pair.goWithoutReplica();
    const recovery = await waitUntilAllAdd(cluster);
    await cluster.pair.addReplica('copy');
    await underLoad();
    return recovery;
  },
  async 'read-only'(cluster, underLoad, faults) {
    await underLoad();
    await setReadOnly(cluster, 'on');
    await pause(DISTURBED_MS);
    // Each connection takes the new setting in its own time.
    await waitFor(() => expectNotReady(cluster));
    faults.push(...(await checkReadOnly(cluster)));
    await setReadOnly(cluster, 'off');
    const recovery = await waitUntilAllAdd(cluster);
    await underLoad();
    return recovery;
  },
};

async function setReadOnly({ pair }: FailoverCluster, value: 'on' | 'off'): Promise<void> {
  await pair.execute(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
  await pair.execute('SELECT pg_reload_conf()');
}

async function expectNotReady({ instances }: FailoverCluster): Promise<void> {
  for (const { url } of instances) {
    const { status } = await fetch(new URL('/readyz', url));
    if (status !== 503) throw new Error(`read-only: ${url} is ready (${status})`);
  }
}

/** Reads are served, adds refused before they could be stored, and readiness says so. */
async function checkReadOnly({ instances, key }: FailoverCluster): Promise<string[]> {
  const faults: string[] = [];
  for (const { url } of instances) {
    const added = await post({ url, key }, '{"name":"Refused","categoryId":1}');
    const read = await call({ url, key }, '/pets?limit=1');
    const ready = await fetch(new URL('/readyz', url));
    if (added.status !== 503) faults.push(`read-only: add ${added.status} ${added.text}`);
    if (/may have|unknown/i.test(added.text)) faults.push(`read-only: ${added.text}`);
    if (read.status !== 200) faults.push(`read-only: read ${read.status} ${read.text}`);
    if (ready.status !== 503) faults.push(`read-only: /readyz ${ready.status}`);
  }
  return faults;
}

async function waitUntilAllAdd({ instances, key }: FailoverCluster): Promise<number> {
  const start = performance.now();
  for (;;) {
    const statuses = await Promise.all(
      instances.map(async ({ url }) => {
        const adding = post({ url, key }, '{"name":"Back","categoryId":1}');
        return (await adding.catch(() => ({ status: 0 }))).status;
      }),
    );
    const spent = performance.now() - start;
    if (statuses.every((status) => status === 201) || spent > GIVE_UP_MS) return spent;
    await pause(20);
  }
}

/** Reads on from page to page while others add, and gives every pet in the order of reading. */
async function follow(target: LoadTarget, isOver: () => boolean): Promise<Pet[]> {
  const seen: Pet[] = [];
  for (let query = '?limit=100'; !isOver(); ) {
    const page = await call(target, `/pets${query}`).catch(() => undefined);
    if (page?.status === 200) {
      const last = seen.at(-1)?.id ?? 0n;
      seen.push(...v.parse(Pets, page.body).filter(({ id }) => id > last));
    }
    const next = page && findNext(page.headers);
    if (next === undefined) await pause(20);
    else query = next;
  }
  return seen;
}

async function listAll(target: LoadTarget): Promise<Pet[]> {
  const all: Pet[] = [];
  for (let query: string | undefined = '?limit=100'; query !== undefined; ) {
    const { status, text, body, headers } = await call(target, `/pets${query}`);
    if (status !== 200) throw new Error(`list: ${status} ${text}`);
    all.push(...v.parse(Pets, body));
    query = findNext(headers);
  }
  return all;
}

function findNext(headers: Headers): string | undefined {
  return /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
}

function findLosses(record: LoadRecord, before: readonly Pet[], all: readonly Pet[]): string[] {
  const faults: string[] = [];
  if (!isStart(before, all)) faults.push('pets of an earlier round are gone or changed');
  const byName = new Map<string, bigint>();
  for (const [index, { name, id }] of all.entries()) {
    if (index > 0 && id <= (all[index - 1]?.id ?? 0n)) faults.push(`${id} is out of order`);
    if (['Back', 'Refused'].includes(name)) continue;
    if (byName.has(name)) faults.push(`${name} is there twice`);
    byName.set(name, id);
  }
  for (const [name, id] of record.added)
    if (byName.get(name) !== id)
      faults.push(`${name} was added as ${id} and is ${byName.get(name) ?? 'not there'}`);
  return faults;
}

function isStart(start: readonly Pet[], all: readonly Pet[]): boolean {
  return isSame(start, all.slice(0, start.length));
}

function isSame(some: readonly Pet[], others: readonly Pet[]): boolean {
  const key = ({ id, name }: Pet) => `${id} ${name}`;
  return some.map(key).join('\n') === others.map(key).join('\n');
}
