import type { Client } from 'pg';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Connection } from '../../../../src/service/storage/postgres/connection/open-connection.ts';
import { openPostgresStore } from '../../../../src/service/storage/postgres/open-postgres-store.ts';
import { createPetWriter } from '../../../../src/service/storage/postgres/pet-writer.ts';
import type { Addition, Store, StoredPet } from '../../../../src/service/storage/store.ts';
import { call, post } from '../../../support/http.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { startService, type TestService } from '../../../support/service.ts';
import { readStoredPets } from '../../../support/stored-pets.ts';

const PAGE = 10;

describe.skipIf(findPostgresObstacle())('ids become visible in order', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('caches no page that becomes wrong, and lists every acknowledged pet, while a transaction is held open', async () => {
    const [one, another] = [await openService(), await openService()];
    await one.store.addPets(createPets(30), new Date());
    const slow = await connectClient(database.url);
    await slow.query('BEGIN');
    await createPetWriter(connectionOver(slow)).addPets(createPets(5), new Date());

    const later = post(another, '{"name":"Later","categoryId":1}');
    await waitUntilBlocked(await connectClient(database.url));
    const before = await readPages(one);
    // What may be cached is from the second time on.
    await readPages(one);
    expect(await listAllIds(another)).toHaveLength(30);
    await slow.query('COMMIT');
    const { body } = await later;
    expect(body).toMatchObject({ id: 36 });

    for (const service of [one, another]) {
      const after = await readPages(service);
      // An instance caches those with a next link.
      expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
      expect(await listAllIds(service)).toEqual(Array.from({ length: 36 }, (_, at) => `${at + 1}`));
    }
  });

  it('never lets a reader that follows three writing instances miss a pet', async () => {
    const [first, second, third, reader] = await openInstances(4);
    const start = (await listAll(reader)).at(-1)?.id ?? 0n;
    const write = async (store: Store) => {
      for (let round = 0; round < 40; round += 1)
        await store.addPets(createPets(1 + (round % 3)), new Date());
    };
    let isWriting = true;
    const writers = Promise.all([first, second, third].map(write)).finally(() => {
      isWriting = false;
    });
    const followed: bigint[] = [];
    for (let last = start, isOver = false; !isOver; ) {
      isOver = !isWriting;
      const page = readStoredPets(await reader.listPets({ after: last, limit: PAGE }));
      followed.push(...page.map((pet) => pet.id));
      last = page.at(-1)?.id ?? last;
      if (page.length > 0) isOver = false;
    }
    await writers;
    const all = await listAll(reader);
    expect(followed).toEqual(all.map((pet) => pet.id).filter((id) => id > start));
    expect(followed.length).toBe(3 * 79);
  });

  async function openService(): Promise<TestService> {
    const service = await startService({ database: database.url });
    onTestFinished(service.close);
    return service;
  }

  async function openInstances(count: number): Promise<[Store, Store, Store, Store]> {
    const open = async () => {
      const store = await openPostgresStore(database.url);
      onTestFinished(store.close);
      return store;
    };
    const [first = await open(), second = first, third = first, fourth = first] = await Promise.all(
      Array.from({ length: count }, open),
    );
    return [first, second, third, fourth];
  }
});

function createPets(count: number): Addition[] {
  return Array.from({ length: count }, (_, index) => ({
    pet: { name: `Pet ${index}`, categoryId: 1n, status: 'available' },
  }));
}

/** The adapter's own statements over a connection with a transaction that the test holds open. */
function connectionOver(client: Client): Pick<Connection, 'query' | 'transact'> {
  const query: Connection['query'] = async ({ name, text, row }, values) =>
    v.parse(v.array(row), (await client.query({ name, text, values: [...values] })).rows);
  return {
    query,
    transact: async (statement, values, lock) => {
      if (lock !== undefined) await query(lock, []);
      return await query(statement, values);
    },
  };
}

async function waitUntilBlocked(client: Client): Promise<void> {
  await vi.waitFor(async () => {
    const { rowCount } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    expect(rowCount).toBe(1);
  });
}

async function listAll(store: Store): Promise<StoredPet[]> {
  const all: StoredPet[] = [];
  for (;;) {
    const after = all.at(-1)?.id ?? 0n;
    const page = readStoredPets(await store.listPets({ after, limit: PAGE }));
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** The bodies of all pages, as a client that follows the links sees them. */
async function readPages(service: TestService): Promise<string[]> {
  const pages: string[] = [];
  for (let query: string | undefined = `?limit=${PAGE}`; query !== undefined; ) {
    const { text, headers } = await call(service, `/pets${query}`);
    pages.push(text);
    query = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
  }
  return pages;
}

/** What `petstore list --all` shows of a service. */
async function listAllIds({ url, key }: TestService): Promise<string[]> {
  const { stdout } = await runPetstore(['list', '--all', '--quiet'], {
    env: { PETSTORE_STAGING_URL: url, PETSTORE_STAGING_API_KEY: key },
  });
  return stdout.trimEnd().split('\n');
}
