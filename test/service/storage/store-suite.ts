import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { IDEMPOTENCY_LIFETIME_MS } from '../../../src/contract/headers.ts';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import { parseJson } from '../../../src/contract/json.ts';
import { type Order, orders } from '../../../src/contract/operations.ts';
import { encodePet, type NewPet, type PetStatus, petStatuses } from '../../../src/contract/pet.ts';
import type { Addition, AddOutcome, Store } from '../../../src/service/storage/store.ts';
import { anyNewPet } from '../../support/arbitraries.ts';

const now = new Date('2026-11-25T10:00:00.123Z');
const rex = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

/** The behavior of every store. @param open opens a new, empty one */
export function describeStore(open: () => Promise<Store>): void {
  async function openStore(): Promise<Store> {
    const store = await open();
    onTestFinished(() => store.close());
    return store;
  }

  async function addAll(store: Store, pets: readonly Required<NewPet>[]): Promise<AddOutcome[]> {
    return await store.addPets(
      pets.map((pet) => ({ pet, keyId: 1n })),
      now,
    );
  }

  /** Every id, page by page. */
  async function walk(store: Store, order: Order, limit: number, status?: PetStatus) {
    const ids: bigint[] = [];
    let after: bigint | undefined;
    do {
      const page = await store.listPets({ after, limit, order, status });
      ids.push(...idsOf(page.json));
      after = page.next;
    } while (after !== undefined);
    return ids;
  }

  describe('adding pets', () => {
    it('numbers pets from 1 in the order they were given', async () => {
      const store = await openStore();
      expect(await addAll(store, [rex, { ...rex, name: 'Bella' }])).toEqual([
        { kind: 'added', id: 1n, at: now },
        { kind: 'added', id: 2n, at: now },
      ]);
    });

    it.each<[string, Required<NewPet>]>([
      ['the largest category', { ...rex, categoryId: INT64_MAX }],
      ['the smallest category', { ...rex, categoryId: INT64_MIN }],
      ['quotes and backslashes', { ...rex, name: `"O'Malley" \\ the "cat"` }],
      ['characters beyond the first plane', { ...rex, name: '𝒢oldie 🐕‍🦺  ' }],
      ['the status sold', { ...rex, status: 'sold' }],
    ])('returns a pet as it was added: %s', async (_case, pet) => {
      const store = await openStore();
      await addAll(store, [pet]);
      expect(parseJson((await store.findPet(1n)) ?? '')).toEqual(
        parseJson(encodePet({ id: 1n, ...pet })),
      );
    });

    it('returns any valid pet as it was added', async () => {
      const store = await openStore();
      await fc.assert(
        fc.asyncProperty(anyNewPet(), async (pet) => {
          const [outcome] = await addAll(store, [pet]);
          const id = outcome && 'id' in outcome ? outcome.id : 0n;
          const json = await store.findPet(id);
          expect(parseJson(json ?? '')).toEqual(parseJson(encodePet({ id, ...pet })));
        }),
        { numRuns: 50 },
      );
    });

    it('stores nothing of a batch that fails, and all of the next one', async () => {
      const store = await openStore();
      await expect(addAll(store, [rex, { ...rex, categoryId: INT64_MAX + 1n }])).rejects.toThrow();
      expect(await store.listPets({ limit: 1, order: 'asc' })).toMatchObject({ json: '[]' });
      expect(await addAll(store, [rex])).toEqual([{ kind: 'added', id: 1n, at: now }]);
    });

    it('can tell that an add would work', async () => {
      const store = await openStore();
      await store.checkWritable();
      await expect(store.checkWritable()).resolves.toBeUndefined();
      expect(await addAll(store, [rex])).toEqual([{ kind: 'added', id: 1n, at: now }]);
    });
  });

  describe('finding pets', () => {
    it('says undefined of an id that nobody has', async () => {
      const store = await openStore();
      expect(await store.findPet(1n)).toBeUndefined();
    });

    it.each(orders.flatMap((order) => [1, 3, 10, 11, 100].map((limit) => ({ order, limit }))))(
      'lists every pet once, $order, $limit per page',
      async ({ order, limit }) => {
        const store = await openStore();
        await addAll(
          store,
          Array.from({ length: 11 }, () => rex),
        );
        const ids = Array.from({ length: 11 }, (_, index) => BigInt(index + 1));
        expect(await walk(store, order, limit)).toEqual(order === 'asc' ? ids : ids.reverse());
      },
    );

    it.each(orders.flatMap((order) => petStatuses.map((status) => ({ order, status }))))(
      'lists every pet that is $status, $order',
      async ({ order, status }) => {
        const store = await openStore();
        const pets = Array.from({ length: 12 }, (_, index) => ({
          ...rex,
          status: petStatuses[index % 3] ?? 'sold',
        }));
        await addAll(store, pets);
        const first = BigInt(petStatuses.indexOf(status) + 1);
        const ids = [first, first + 3n, first + 6n, first + 9n];
        expect(await walk(store, order, 2, status)).toEqual(order === 'asc' ? ids : ids.reverse());
      },
    );

    it('has no next page when a page ends with the last pet', async () => {
      const store = await openStore();
      await addAll(store, [rex, rex]);
      expect((await store.listPets({ limit: 2, order: 'asc' })).next).toBeUndefined();
    });

    it('lists nothing behind the last pet', async () => {
      const store = await openStore();
      await addAll(store, [rex]);
      expect(await store.listPets({ after: 1n, limit: 5, order: 'asc' })).toEqual({
        json: '[]',
        next: undefined,
      });
    });
  });

  describe('idempotency keys', () => {
    const add = (store: Store, pet: Required<NewPet>, idempotencyKey: string, at = now) =>
      store.addPets([{ pet, idempotencyKey, keyId: 1n }], at);
    const later = (ms: number) => new Date(now.getTime() + ms);

    it('replays the pet that was added with the key, and when', async () => {
      const store = await openStore();
      await add(store, rex, 'a');
      expect(await add(store, rex, 'a', later(1_000))).toEqual([
        { kind: 'replayed', id: 1n, at: now },
      ]);
      expect(await walk(store, 'asc', 10)).toEqual([1n]);
    });

    it.each<Partial<NewPet>>([{ name: 'rex' }, { categoryId: 8n }, { status: 'sold' }])(
      'refuses the key for another pet: %o',
      async (change) => {
        const store = await openStore();
        await add(store, rex, 'a');
        expect(await add(store, { ...rex, ...change }, 'a')).toEqual([{ kind: 'mismatch' }]);
      },
    );

    it('keeps each to its place in a mixed batch', async () => {
      const store = await openStore();
      await add(store, rex, 'a');
      const batch: Addition[] = [
        { pet: { ...rex, name: 'Bella' }, keyId: 1n },
        { pet: rex, keyId: 1n, idempotencyKey: 'a' },
        { pet: { ...rex, name: 'Nemo' }, keyId: 1n, idempotencyKey: 'b' },
        { pet: { ...rex, name: 'Max' }, keyId: 1n, idempotencyKey: 'a' },
      ];
      expect(await store.addPets(batch.slice(0, 3), now)).toEqual([
        { kind: 'added', id: 2n, at: now },
        { kind: 'replayed', id: 1n, at: now },
        { kind: 'added', id: 3n, at: now },
      ]);
      expect(await store.addPets(batch.slice(3), now)).toEqual([{ kind: 'mismatch' }]);
    });

    it('forgets a key after seven days, not before', async () => {
      const store = await openStore();
      await add(store, rex, 'a');
      expect(await add(store, rex, 'a', later(IDEMPOTENCY_LIFETIME_MS - 1))).toMatchObject([
        { kind: 'replayed' },
      ]);
      const end = later(IDEMPOTENCY_LIFETIME_MS);
      expect(await add(store, rex, 'a', end)).toEqual([{ kind: 'added', id: 2n, at: end }]);
    });

    it('remembers a key that is used again after seven days from then on', async () => {
      const store = await openStore();
      // More than one batch deletes, and the key sorts last: its old use is still stored.
      const others = Array.from({ length: 600 }, (_, at) => `a${at}`);
      const batch = [...others, 'z'].map((idempotencyKey) => ({
        pet: rex,
        keyId: 1n,
        idempotencyKey,
      }));
      await store.addPets(batch, now);
      const again = later(IDEMPOTENCY_LIFETIME_MS);
      const added = await add(store, rex, 'z', again);
      expect(added).toMatchObject([{ kind: 'added' }]);
      expect(await add(store, rex, 'z', again)).toEqual([{ ...added[0], kind: 'replayed' }]);
    });
  });

  describe('API keys', () => {
    const newKey = () => ({
      hash: randomBytes(32),
      name: 'till-3',
      access: 'write' as const,
      createdAt: now,
      expiresAt: undefined,
    });

    it('finds a key by its hash, as it was created', async () => {
      const store = await openStore();
      const key = { ...newKey(), access: 'read' as const, expiresAt: new Date('2027-01-01') };
      const { hash, ...rest } = key;
      const created = await store.createKey(key);
      expect(created).toEqual({ id: 1n, ...rest, lastUsedAt: undefined, revokedAt: undefined });
      expect(await store.findKey(hash)).toEqual(created);
    });

    it('says undefined of a hash that nobody has', async () => {
      const store = await openStore();
      await store.createKey(newKey());
      expect(await store.findKey(randomBytes(32))).toBeUndefined();
    });

    it('lists keys, oldest first', async () => {
      const store = await openStore();
      for (const name of ['b', 'a', 'c']) await store.createKey({ ...newKey(), name });
      expect((await store.listKeys()).map(({ id, name }) => [id, name])).toEqual([
        [1n, 'b'],
        [2n, 'a'],
        [3n, 'c'],
      ]);
    });

    it('stores one active key of a name, however many ask at once', async () => {
      const store = await openStore();
      const ask = () => store.createKey({ ...newKey(), hash: randomBytes(32) });
      const created = await Promise.all([ask(), ask(), ask()]);
      expect(created.filter((key) => key !== undefined)).toHaveLength(1);
      await store.revokeKey(1n, now);
      expect(await ask()).toMatchObject({ id: 2n });
    });

    it('keeps the time of the first revocation', async () => {
      const store = await openStore();
      const id = (await store.createKey(newKey()))?.id ?? 0n;
      await store.revokeKey(id, now);
      await store.revokeKey(id, new Date('2027-01-01'));
      expect(await store.listKeys()).toMatchObject([{ revokedAt: now }]);
    });

    it('moves the last use forward, never back', async () => {
      const store = await openStore();
      const id = (await store.createKey(newKey()))?.id ?? 0n;
      await store.recordKeyUses(new Map([[id, now]]));
      await store.recordKeyUses(new Map([[id, new Date(now.getTime() - 1)]]));
      expect(await store.listKeys()).toMatchObject([{ lastUsedAt: now }]);
    });
  });

  describe('the audit', () => {
    const early = new Date('2026-11-20');
    async function openAudited(): Promise<Store> {
      const store = await openStore();
      for (const name of ['till-1', 'till-2'])
        await store.createKey({
          ...{ hash: randomBytes(32), name, access: 'write', createdAt: now },
          expiresAt: undefined,
        });
      await store.addPets([{ pet: rex, keyId: 1n }], early);
      await store.addPets([{ pet: rex, keyId: 2n }], now);
      await store.addPets([{ pet: rex, keyId: 1n }], now);
      return store;
    }

    it('says who added which pet and when', async () => {
      const store = await openAudited();
      expect(await store.readAudit({ limit: 1, petId: 2n })).toEqual([
        { id: 2n, ...rex, keyId: 2n, keyName: 'till-2', addedAt: now },
      ]);
    });

    it.each([
      [{ limit: 50 }, [3n, 2n, 1n]],
      [{ limit: 2 }, [3n, 2n]],
      [{ limit: 50, petId: 1n }, [1n]],
      [{ limit: 50, petId: 9n }, []],
      [{ limit: 50, keyName: 'till-1' }, [3n, 1n]],
      [{ limit: 50, keyName: 'nobody' }, []],
      [{ limit: 50, since: now }, [3n, 2n]],
      [{ limit: 50, since: new Date(now.getTime() + 1) }, []],
      [{ limit: 50, keyName: 'till-1', since: now }, [3n]],
    ])('reads %o, newest first', async (query, ids) => {
      const store = await openAudited();
      expect((await store.readAudit(query)).map(({ id }) => id)).toEqual(ids);
    });
  });
}

function idsOf(json: string): bigint[] {
  return [...json.matchAll(/\{"id":(\d+)/g)].map(([, id = '']) => BigInt(id));
}
