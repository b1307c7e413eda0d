import { expect, it, onTestFinished } from 'vitest';
import { openPostgresPair } from '../support/postgres-pair.ts';
import { runPetstore } from '../support/run-petstore.ts';
import { startServe } from '../support/serve-process.ts';
import { waitFor } from '../support/wait-for.ts';
import { readPets, startAddLoad } from './add-load.ts';

const rounds = Number(process.env.PETSTORE_TEST_ROUNDS ?? 1);

/** Two instances on a primary with a synchronous replica, behind one address. */
async function openCluster() {
  const pair = await openPostgresPair();
  onTestFinished(pair.close, 60_000);
  const create = ['keys', 'create', '--name', 'till', '--database', pair.url];
  const key = (await runPetstore(create)).stdout.trim();
  const instances = [await startServe(pair.url), await startServe(pair.url)];
  const urls = instances.map(({ url }) => url);
  const load = startAddLoad(() => urls[Math.floor(Math.random() * 2)] ?? '', key);
  return { pair, key, instances, load };
}

it('loses and doubles nothing when the primary is killed, switched, or read-only, and recovers by itself', async () => {
  const { pair, key, instances, load } = await openCluster();
  for (let round = 0; round < rounds; round += 1) {
    await load.waitForMore(50);
    await pair.failOver();
    await load.waitForMore(50);
    await pair.switchOver();
    await load.waitForMore(50);
    await pair.execute('ALTER SYSTEM SET default_transaction_read_only = on');
    await pair.execute('SELECT pg_reload_conf()');
    await waitFor(async () => expect((await fetch(readyOf(instances[0]))).status).toBe(503));
    await pair.execute('ALTER SYSTEM RESET default_transaction_read_only');
    await pair.execute('SELECT pg_reload_conf()');
    await load.waitForMore(50);
  }
  await load.stop();
  for (const { url } of instances)
    expect(await readPets(url, key)).toEqual(new Map(load.acknowledged));
}, 900_000);

it('says 503 while the database does not respond, and goes on when it does', async () => {
  const { pair, key, instances, load } = await openCluster();
  await load.waitForMore(50);
  await pair.freeze();
  onTestFinished(pair.resume);
  await waitFor(async () => expect((await fetch(readyOf(instances[0]))).status).toBe(503));
  const alive = new URL('/healthz', instances[0]?.url);
  expect((await fetch(alive)).status).toBe(200);
  await pair.resume();
  await load.waitForMore(50);
  await load.stop();
  expect(await readPets(instances[1]?.url ?? '', key)).toEqual(new Map(load.acknowledged));
}, 120_000);

it('shows the same pets by every spelling of a page after a promoted replica gave ids again', async () => {
  const pair = await openPostgresPair();
  onTestFinished(pair.close, 60_000);
  const create = ['keys', 'create', '--name', 'till', '--database', pair.url];
  const key = (await runPetstore(create)).stdout.trim();
  const { url } = await startServe(pair.url);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const add = async (name: string) => {
    const body = JSON.stringify({ name, categoryId: 7 });
    const send = () => fetch(`${url}/pets`, { method: 'POST', headers, body });
    await waitFor(async () => expect((await send()).status).toBe(201));
  };
  const addAll = async (name: string) => {
    for (let count = 0; count < 30; count += 1) await add(`${name} ${count}`);
  };
  const readPages = () =>
    Promise.all(
      ['limit=20', 'limit=20&order=asc', 'order=asc&limit=20', ''].map(async (query) =>
        (await fetch(`${url}/pets?${query}`, { headers })).text(),
      ),
    );
  await add('kept');
  await pair.detachReplica();
  await addAll('lost');
  expect((await readPages()).join()).toContain('lost 1');
  await pair.failOver();
  await addAll('later');
  const pages = await readPages();
  expect(pages[0]).toContain('later 1');
  expect(new Set(pages)).toEqual(new Set([pages[0]]));
}, 120_000);

function readyOf(instance: { url: string } | undefined): URL {
  return new URL('/readyz', instance?.url);
}
