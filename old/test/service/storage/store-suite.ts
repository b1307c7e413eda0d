import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../src/service/storage/store.ts';
import { readStoredPets } from '../../support/stored-pets.ts';
import { describeApiKeys } from './suite/api-keys.ts';
import { describeAudit } from './suite/audit.ts';
import { describeIdempotencyKeys } from './suite/idempotency-keys.ts';
import { add, now, type OpenedStore, rex, type StoreDatabase } from './suite/opened-store.ts';
import { describePets } from './suite/pets.ts';

/** The behavior of every store, run against each adapter by its own test file. */
export function describeStore(name: string, createDatabase: () => Promise<StoreDatabase>): void {
  describe(`the store on ${name}`, () => {
    let database: StoreDatabase;
    let store: Store;

    beforeEach(async () => {
      database = await createDatabase();
      store = await database.open();
      onTestFinished(async () => {
        await store.close();
        await database.remove();
      });
    });

    const opened: OpenedStore = {
      get database() {
        return database;
      },
      get store() {
        return store;
      },
      set store(another) {
        store = another;
      },
      list: async (query) =>
        readStoredPets(await store.listPets({ after: 0n, limit: 100, ...query })),
    };

    describePets(opened);
    describeIdempotencyKeys(opened);
    describeApiKeys(opened);
    describeAudit(opened);

    it('is ready, and takes a small write that changes no pet', async () => {
      await expect(opened.store.checkReady()).resolves.toBeUndefined();
      await expect(opened.store.tryWrite()).resolves.toBeUndefined();
      expect(opened.store.isStalled()).toBe(false);
      expect(await opened.list()).toEqual([]);
      expect(await opened.store.addPets([add(rex)], now)).toMatchObject([{ pet: { id: 1n } }]);
    });
  });
}
