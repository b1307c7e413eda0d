import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { stringifyJson } from '../../src/contract/json.ts';
import { waitFor } from '../support/wait-for.ts';

export interface AddLoad {
  /** The id of each pet that was acknowledged, by its name. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Waits until so many more pets are acknowledged. */
  waitForMore(count: number): Promise<void>;
  /** Finishes the pets that were begun, which needs a running service. */
  stop(): Promise<void>;
}

/** The first half of what an add is repeated for until it is acknowledged. */
const repeated = [409, 500, 502, 503, 504];

/**
 * Adds pets of different names, each with its idempotency key, and repeats every add until it is acknowledged.
 * @param url asked before each request: the service may move
 */
export function startAddLoad(url: () => string, key: string, workers = 8): AddLoad {
  const acknowledged = new Map<string, string>();
  const unexpected: string[] = [];
  /** What was said to the last add that was not acknowledged. */
  let last = 'nothing';
  let isStopping = false;

  async function send(name: string): Promise<string | undefined> {
    const response = await fetch(`${url()}/pets`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': name,
      },
      body: stringifyJson({ name, categoryId: 7 }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (response.status === 201) return /"id":(\d+)/.exec(text)?.[1];
    last = `${response.status} ${text}`;
    if (!repeated.includes(response.status)) unexpected.push(last);
    return undefined;
  }

  async function work(worker: number): Promise<void> {
    for (let count = 0; !isStopping; count += 1) {
      const name = `pet-${worker}-${count}`;
      for (;;) {
        const id = await send(name).catch(() => undefined);
        if (id !== undefined) acknowledged.set(name, id);
        if (id !== undefined || unexpected.length > 0) break;
        await pause(20);
      }
    }
  }

  const running = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return {
    acknowledged,
    async waitForMore(count) {
      const wanted = acknowledged.size + count;
      for (let waits = 0; waits < 6 && acknowledged.size < wanted; waits += 1)
        await waitFor(() => expect(acknowledged.size).toBeGreaterThanOrEqual(wanted)).catch(
          () => {},
        );
      expect(acknowledged.size, `last: ${last}`).toBeGreaterThanOrEqual(wanted);
    },
    async stop() {
      isStopping = true;
      await running;
      expect(unexpected).toEqual([]);
    },
  };
}

/** Every pet that a service has: its id by its name. @throws when a name is there twice. */
export async function readPets(url: string, key: string): Promise<Map<string, string>> {
  const pets = new Map<string, string>();
  for (let query = '?limit=100'; query !== ''; ) {
    const response = await fetch(`${url}/pets${query}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    for (const [, id = '', name = ''] of (await response.text()).matchAll(
      /"id":(\d+),"name":"([^"]*)"/g,
    )) {
      if (pets.has(name)) throw new Error(`${name} is there twice`);
      pets.set(name, id);
    }
    query = /<(\?[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
  }
  return pets;
}
