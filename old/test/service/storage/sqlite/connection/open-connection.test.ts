import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../../../../../src/service/storage/sqlite/connection/open-connection.ts';
import { openSqliteStore } from '../../../../../src/service/storage/sqlite/open-sqlite-store.ts';
import { makeFolder } from '../../../../support/make-folder.ts';

async function createFile(): Promise<string> {
  return path.join(await makeFolder(), 'petstore.db');
}

it('a connection syncs its log at every commit, also on a database that others made', async () => {
  const file = await createFile();
  for (let connection = 0; connection < 2; connection += 1) {
    const database = openConnection(file);
    onTestFinished(() => database.close());
    expect(database.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' });
    // 2 is FULL (sqlite.org/pragma.html#pragma_synchronous).
    expect(database.prepare('PRAGMA synchronous').get()).toMatchObject({ synchronous: 2n });
  }
});

it('idempotency keys are swept once they are too old to count', async () => {
  const file = await createFile();
  const store = await openSqliteStore(file);
  onTestFinished(store.close);
  const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
  const begin = new Date('2026-11-20T12:00:00Z');
  const old = Array.from({ length: 20 }, (_, index) => ({ pet, idempotencyKey: `old-${index}` }));
  await store.addPets(old, begin);
  const reader = openConnection(file);
  onTestFinished(() => reader.close());
  const keys = reader.prepare('SELECT count(*) AS count FROM idempotency_keys');
  expect(keys.get()).toMatchObject({ count: 20n });
  const later = new Date(begin.getTime() + 7 * 24 * 60 * 60 * 1000);
  await store.addPets([{ pet, idempotencyKey: 'new' }], later);
  expect(keys.get()).toMatchObject({ count: 1n });
});

it('the log of a database that is closed is empty: the file alone is whole', async () => {
  const file = await createFile();
  const store = await openSqliteStore(file);
  await store.addPets([{ pet: { name: 'Rex', categoryId: 7n, status: 'sold' } }], new Date());
  await store.close();
  expect(existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0).toBe(0);
});
