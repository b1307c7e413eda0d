import { describe, expect, it } from 'vitest';
import type { NewPet } from '../../../../src/contract/pet.ts';
import { add, DAY_MS, later, nemo, now, type OpenedStore, rex } from './opened-store.ts';

/** How every store recognizes a repeated add. */
export function describeIdempotencyKeys(opened: OpenedStore): void {
  describe('idempotency keys', () => {
    it('return the first outcome again for the same pet', async () => {
      const [first] = await opened.store.addPets([add(rex, 'key')], now);
      expect(await opened.store.addPets([add(rex, 'key')], now)).toEqual([
        { ...first, kind: 'replayed' },
      ]);
      expect(await opened.list()).toHaveLength(1);
    });

    it.each([
      ['name', { ...rex, name: 'rex' }],
      ['category', { ...rex, categoryId: 8n }],
      ['status', { ...rex, status: 'pending' }],
    ] satisfies [string, Required<NewPet>][])('refuse another %s', async (_, pet) => {
      await opened.store.addPets([add(rex, 'key')], now);
      expect(await opened.store.addPets([add(pet, 'key')], now)).toEqual([{ kind: 'mismatch' }]);
      expect(await opened.list()).toHaveLength(1);
    });

    it('decide each addition of a batch by itself', async () => {
      await opened.store.addPets([add(rex, 'a'), add(rex, 'b')], now);
      const kinds = await opened.store.addPets(
        [add(rex, 'a'), add(nemo), add(nemo, 'b'), add(rex)],
        now,
      );
      expect(kinds.map(({ kind }) => kind)).toEqual(['replayed', 'added', 'mismatch', 'added']);
      expect((await opened.list()).map(({ id }) => id)).toEqual([1n, 2n, 3n, 4n]);
    });

    it('are compared exactly', async () => {
      const keys = ['key', 'Key', 'key ', '"key"', 'k'.repeat(255)];
      const outcomes = await opened.store.addPets(
        keys.map((key) => add(rex, key)),
        now,
      );
      expect(outcomes.map(({ kind }) => kind)).toEqual(keys.map(() => 'added'));
    });

    it('outlive a restart', async () => {
      await opened.store.addPets([add(rex, 'key')], now);
      await opened.store.close();
      opened.store = await opened.database.open();
      expect(await opened.store.addPets([add(rex, 'key')], now)).toMatchObject([
        { kind: 'replayed' },
      ]);
    });

    it('count for 7 days and then as never used, for 7 days again', async () => {
      await opened.store.addPets([add(rex, 'key')], now);
      const kindAt = async (at: Date) =>
        (await opened.store.addPets([add(rex, 'key')], at))[0]?.kind;
      expect(await kindAt(later(7 * DAY_MS - 1))).toBe('replayed');
      expect(await kindAt(later(7 * DAY_MS))).toBe('added');
      expect(await kindAt(later(14 * DAY_MS - 1))).toBe('replayed');
      expect(await opened.list()).toHaveLength(2);
    });
  });
}
