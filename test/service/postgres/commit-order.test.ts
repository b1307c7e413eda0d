import type { Client } from 'pg';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Connection } from '../../../src/service/postgres/connection.ts';
import { openPostgresStore } from '../../../src/service/postgres/open-postgres-store.ts';
import { createPetWriter } from '../../../src/service/postgres/pet-writer.ts';
import type { Addition, Store, StoredPet } from '../../../src/service/store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { connectClient } from '../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../support/postgres-cluster.ts';
import { readStoredPets } from '../../support/stored-pets.ts';

const PAGE = 10;

describe.skipIf(findPostgresObstacle())('ids become visible in their order', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('keeps no page that turns out wrong, and misses no answered pet, while a transaction is held open', async () => {
    const [one, another] = await openInstances(2);
    await one.addPets(createPets(30), new Date());
    const slow = await connectClient(database.url);
    await slow.query('BEGIN');
    await createPetWriter(connectionOver(slow)).addPets(createPets(5), new Date());

    const later = another.addPets(createPets(5), new Date());
    await waitUntilBlocked(await connectClient(database.url));
    const kept = await listFullPages(one);
    const before = await listAll(another);
    await slow.query('COMMIT');
    const answered = (await later).map((outcome) =>
      outcome.kind === 'added' ? outcome.pet.id : 0n,
    );
    const after = await listAll(one);

    expect(before).toHaveLength(30);
    expect(after).toHaveLength(40);
    expect(after.slice(35).map((pet) => pet.id)).toEqual(answered);
    expect(after.slice(0, kept.length)).toEqual(kept);
  });

  it('never lets a reader that follows three writing instances step over a pet', async () => {
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

/** The adapter's own statements over a connection that somebody else holds a transaction on. */
function connectionOver(client: Client): Pick<Connection, 'query' | 'queryLocked'> {
  const query: Connection['query'] = async ({ name, text, row }, values) =>
    v.parse(v.array(row), (await client.query({ name, text, values: [...values] })).rows);
  return {
    query,
    queryLocked: async (lock, statement, values) => {
      await query(lock, []);
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

/** The rows of the pages that have a next one: those may be kept for good. */
async function listFullPages(store: Store): Promise<StoredPet[]> {
  const all = await listAll(store);
  return all.slice(0, PAGE * Math.floor((all.length - 1) / PAGE));
}
