import { describe, expect, it, onTestFinished } from 'vitest';
import { issueKey } from '../../../src/service/keys/issue-key.ts';
import { openStore } from '../../../src/service/storage/databases.ts';
import { seedStore } from '../../../src/service/storage/seed.ts';

const now = new Date('2026-11-20T12:00:00.000Z');

async function openEmpty() {
  const store = await openStore('sqlite::memory:');
  onTestFinished(store.close);
  const listNames = async () => (await store.listKeys()).map(({ name }) => name);
  const hasPets = async () => (await store.listPets({ after: 0n, limit: 1 })).json !== '[]';
  return { store, listNames, hasPets };
}

describe('sample data', () => {
  it('is pets and a development key in an empty store', async () => {
    const { store, listNames, hasPets } = await openEmpty();
    expect(await seedStore(store, now)).toMatch(/^pst_/);
    expect(await listNames()).toEqual(['development']);
    expect(await hasPets()).toBe(true);
  });

  it.each(['valid', 'revoked'])('is pets alone where there is a key, %s', async (state) => {
    const { store, listNames, hasPets } = await openEmpty();
    const { record } = await issueKey(store, { name: 'till', createdAt: now });
    if (state === 'revoked') await store.revokeKey(record.id, now);
    expect(await seedStore(store, now)).toBeUndefined();
    expect(await listNames()).toEqual(['till']);
    expect(await hasPets()).toBe(true);
  });

  it('is nothing where there are pets', async () => {
    const { store, listNames } = await openEmpty();
    const pet = { name: 'Rex', categoryId: 7n, status: 'sold' } as const;
    await store.addPets([{ pet }], now);
    expect(await seedStore(store, now)).toBeUndefined();
    expect(await listNames()).toEqual([]);
  });
});
