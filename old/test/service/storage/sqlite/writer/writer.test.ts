import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../../src/service/storage/sqlite/connection/open-database.ts';
import { toAdditionRow } from '../../../../../src/service/storage/sqlite/writer/batch-rows.ts';
import { createWriter } from '../../../../../src/service/storage/sqlite/writer/writer.ts';

const DAYS_7 = 7 * 24 * 60 * 60 * 1000;
const begin = Date.parse('2026-11-20T12:00:00Z');

function openWriter() {
  const database = openDatabase(':memory:');
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  const { addPets, ...writer } = createWriter(database);
  const keys = database.prepare('SELECT count(*) AS count FROM idempotency_keys');
  return {
    ...writer,
    database,
    /** Adds a pet for each idempotency key, so many milliseconds after the begin. */
    addAt: (milliseconds: number, idempotencyKeys: readonly string[]) => {
      const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
      const rows = idempotencyKeys.map((key) => toAdditionRow({ pet, idempotencyKey: key }));
      return addPets(rows, new Date(begin + milliseconds));
    },
    countKeys: () => keys.get()?.count,
  };
}

it('idempotency keys that no longer count are looked for once a second', () => {
  const { addAt, countKeys } = openWriter();
  addAt(0, ['first']);
  addAt(500, ['second']);
  addAt(DAYS_7 - 1, []);
  expect(countKeys()).toBe(2n);
  addAt(DAYS_7 + 499, []);
  expect(countKeys()).toBe(2n);
  addAt(DAYS_7 + 999, []);
  expect(countKeys()).toBe(0n);
});

it('they are deleted some thousands per batch, and in every batch while there are more', () => {
  const { addAt, countKeys } = openWriter();
  addAt(
    0,
    Array.from({ length: 4_001 }, (_, index) => `key ${index}`),
  );
  const left = [0, 1, 2].map((milliseconds) => {
    addAt(DAYS_7 + milliseconds, []);
    return countKeys();
  });
  expect(left).toEqual([2_001n, 1n, 0n]);
});

it('a trial write needs as much room as many pets, the same again each time', () => {
  const { tryWrite, database } = openWriter();
  for (let round = 0; round < 2; round += 1) tryWrite();
  const trials = database.prepare('SELECT id, length(filler) AS bytes FROM write_trial').all();
  expect(trials).toEqual([{ id: 1n, bytes: 256n * 1024n }]);
});

it('a writer closes its connection', () => {
  const { close, database } = openWriter();
  close();
  expect(database.isOpen).toBe(false);
});
