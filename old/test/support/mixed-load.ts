import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { Pets } from '../../src/contract/pet.ts';
import { call, post } from './http.ts';
import { waitFor } from './wait-for.ts';

export interface LoadTarget {
  /** The base URL, ending in /v1. */
  readonly url: string;
  readonly key: string;
}

/** What clients saw while they added, listed and got pets all at once. */
export interface LoadRecord {
  /** Responses by status; `0` stands for a connection without one. */
  readonly statuses: Map<number, number>;
  /** Names of pets whose add was acknowledged with 201, and the id in the response. */
  readonly added: Map<string, bigint>;
  /** Names of every pet that anybody tried to add. */
  readonly tried: Set<string>;
  /** Responses that broke a promise. */
  readonly faults: string[];
}

const WORKERS = 12;
const PAUSE_AFTER_503_MS = 20;

/** So many pets are acknowledged before and after a disturbance: fewer would say little about what it loses. */
const PHASE_ADDS = 20;

/** The load goes on for at least this long, in milliseconds, also where that many are added sooner. */
const PHASE_MS = 500;

/**
 * Runs clients while `disturb` runs, and resolves with its result when the last of them has ended. Adds with a key are
 * retried under it until they have a response; those without never are. `disturb` waits with `underLoad` for half a second
 * and 20 more acknowledged pets. @throws Error when those are not there ten seconds later, and whatever `disturb` throws.
 */
export async function runMixedLoad<T>(
  target: LoadTarget,
  disturb: (underLoad: () => Promise<void>) => Promise<T>,
): Promise<{ readonly record: LoadRecord; readonly result: T }> {
  const record: LoadRecord = {
    ...{ statuses: new Map(), added: new Map(), tried: new Set(), faults: [] },
  };
  const run = randomUUID();
  let isOver = false;
  let hasFailed = false;
  const work = async (worker: number) => {
    for (let turn = 0; !isOver; turn += 1)
      await takeTurn(target, record, `${run}-${worker}-${turn}`, { turn, gaveUp: () => hasFailed });
  };
  const underLoad = async () => {
    const enough = record.added.size + PHASE_ADDS;
    await pause(PHASE_MS);
    await waitFor(() => {
      if (record.added.size < enough) throw new Error(describeLack(record, enough));
    });
  };
  const disturbing = disturb(underLoad)
    .catch((error: unknown) => {
      hasFailed = true;
      throw error;
    })
    .finally(() => {
      isOver = true;
    });
  const workers = Array.from({ length: WORKERS }, (_, worker) => work(worker));
  await Promise.allSettled([disturbing, ...workers]);
  const [result] = await Promise.all([disturbing, ...workers]);
  return { record, result };
}

function describeLack({ added, statuses, faults }: LoadRecord, wanted: number): string {
  const responses = [...statuses].map(([status, count]) => `${count} x ${status}`);
  return `${added.size} of ${wanted} pets acknowledged; ${[...responses, ...faults].join(', ')}`;
}

interface Turn {
  readonly turn: number;
  /** Whether the service may never respond again. */
  gaveUp(): boolean;
}

async function takeTurn(
  target: LoadTarget,
  record: LoadRecord,
  name: string,
  { turn, gaveUp }: Turn,
) {
  const kind = turn % 5;
  if (kind < 2) return await addWithKey(target, record, name, gaveUp);
  if (kind === 2) return await addOnce(target, record, name);
  if (kind === 3) return await getAdded(target, record);
  return await listLatest(target, record);
}

async function addWithKey(
  target: LoadTarget,
  record: LoadRecord,
  name: string,
  gaveUp: Turn['gaveUp'],
): Promise<void> {
  for (let isAdded = false; !isAdded && !gaveUp(); )
    isAdded = await add(target, record, name, name);
}

async function addOnce(target: LoadTarget, record: LoadRecord, name: string): Promise<void> {
  await add(target, record, `once-${name}`);
}

/** Whether the pet was added. */
async function add(target: LoadTarget, record: LoadRecord, name: string, key?: string) {
  record.tried.add(name);
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const response = await note(record, () =>
    post(target, `{"name":"${name}","categoryId":1}`, headers),
  );
  if (response?.status === 201) {
    const { id } = v.parse(Pets, [response.body])[0] ?? { id: 0n };
    record.added.set(name, id);
    return true;
  }
  // 409: the same request, sent again by the proxy, is still running.
  if (response !== undefined && ![409, 503].includes(response.status)) {
    record.faults.push(`add ${name}: ${response.status} ${response.text}`);
  }
  await pause(PAUSE_AFTER_503_MS);
  return false;
}

async function getAdded(target: LoadTarget, record: LoadRecord): Promise<void> {
  const [name, id] = [...record.added].at(-1) ?? [];
  if (name === undefined) return;
  const response = await note(record, () => call(target, `/pets/${id}`));
  if (response?.status === 200 && response.text.includes(`"name":"${name}"`)) return;
  if (response?.status !== 503)
    record.faults.push(`get ${name}: ${response?.status} ${response?.text}`);
}

/** Lists from the newest pet that was acknowledged before: it must be there. */
async function listLatest(target: LoadTarget, record: LoadRecord): Promise<void> {
  const [name, id = 0n] = [...record.added].at(-1) ?? [];
  if (name === undefined) return;
  const cursor = Buffer.from(`after ${id - 1n}`).toString('base64url');
  const response = await note(record, () => call(target, `/pets?limit=100&cursor=${cursor}`));
  if (response?.status === 200 && response.text.includes(`"name":"${name}"`)) return;
  if (response?.status !== 503)
    record.faults.push(`list ${name}: ${response?.status} ${response?.text}`);
}

async function note(record: LoadRecord, send: () => ReturnType<typeof call>) {
  const response = await send().catch(() => undefined);
  const status = response?.status ?? 0;
  record.statuses.set(status, (record.statuses.get(status) ?? 0) + 1);
  return response;
}
