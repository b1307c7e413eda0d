import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../../../src/contract/int64.ts';
import { encodePet, type NewPet } from '../../../../src/contract/pet.ts';
import type { Store } from '../../../../src/service/storage/store.ts';
import { anyNewPet } from '../../../support/arbitraries.ts';
import { add, nemo, now, type OpenedStore, rex } from './opened-store.ts';

/** How every store adds and returns pets. */
export function describePets(opened: OpenedStore): void {
  describe('pets', () => {
    describeAdded(opened);
    describeFound(opened);
    describeBatches(opened);
  });
}

function describeAdded(opened: OpenedStore): void {
  it('gives ids from 1 on in the order of the batch', async () => {
    const outcomes = await opened.store.addPets([add(rex), add(nemo)], now);
    expect(outcomes).toEqual([
      { kind: 'added', pet: { id: 1n, json: encodePet({ id: 1n, ...rex }) } },
      { kind: 'added', pet: { id: 2n, json: encodePet({ id: 2n, ...nemo }) } },
    ]);
    expect(await opened.store.addPets([add(rex)], now)).toMatchObject([{ pet: { id: 3n } }]);
  });

  it('adds nothing for an empty batch', async () => {
    expect(await opened.store.addPets([], now)).toEqual([]);
    expect(await opened.list()).toEqual([]);
  });

  it.each([
    ['the least category', { ...rex, categoryId: INT64_MIN }],
    ['the greatest category', { ...rex, categoryId: INT64_MAX }],
    ['a category no double holds', { ...rex, categoryId: 9007199254740993n }],
    ['quotes and backslashes', { ...rex, name: '"\\" \\u0041 \\' }],
    ['what lies beyond the basic plane', { ...rex, name: '𝒫🐕‍🦺 é é' }],
    ['separators that JSON may hold raw', { ...rex, name: 'a\u2028b\u2029c\u00a0' }],
    ['SQL', { ...rex, name: `'); DROP TABLE pets; --` }],
  ] satisfies [string, Required<NewPet>][])('keeps %s as it was sent', async (_, pet) => {
    const json = encodePet({ id: 1n, ...pet });
    expect(await opened.store.addPets([add(pet)], now)).toEqual([
      { kind: 'added', pet: { id: 1n, json } },
    ]);
    expect(JSON.parse((await opened.store.findPet(1n))?.json ?? '')).toEqual(JSON.parse(json));
    expect((await opened.store.findPet(1n))?.json).toContain(`"categoryId":${pet.categoryId}`);
    expect(await opened.list()).toEqual([await opened.store.findPet(1n)]);
  });

  it('keeps any pet as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyNewPet(), { maxLength: 20 }), async (pets) => {
        const outcomes = await opened.store.addPets(
          pets.map((pet) => add(pet)),
          now,
        );
        for (const [index, outcome] of outcomes.entries()) {
          const pet = pets[index];
          if (outcome.kind !== 'added' || pet === undefined) throw new Error('not added');
          const stored = await opened.store.findPet(outcome.pet.id);
          const sent = encodePet({ id: outcome.pet.id, ...pet });
          expect(JSON.parse(stored?.json ?? '')).toEqual(JSON.parse(sent));
          expect(outcome.pet.json).toBe(sent);
        }
      }),
      { numRuns: 20 },
    );
  });
}

function describeFound(opened: OpenedStore): void {
  it('has none at first', async () => {
    expect(await opened.list()).toEqual([]);
    expect(await opened.store.findPet(1n)).toBeUndefined();
  });

  it('lists by id after the given one, at most as many as requested', async () => {
    await opened.store.addPets(
      [rex, nemo, rex, nemo, rex].map((pet) => add(pet)),
      now,
    );
    const ids = async (query: Partial<Parameters<Store['listPets']>[0]>) =>
      (await opened.list(query)).map((pet) => pet.id);
    expect(await ids({})).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(await ids({ limit: 2 })).toEqual([1n, 2n]);
    expect(await ids({ after: 2n, limit: 2 })).toEqual([3n, 4n]);
    expect(await ids({ after: 5n })).toEqual([]);
    expect(await ids({ after: INT64_MAX })).toEqual([]);
    expect(await ids({ status: 'sold' })).toEqual([2n, 4n]);
    expect(await ids({ status: 'sold', after: 2n })).toEqual([4n]);
    expect(await ids({ status: 'available', limit: 2 })).toEqual([1n, 3n]);
    expect(await ids({ status: 'pending' })).toEqual([]);
  });

  it('says where the next page starts, for as long as there is one', async () => {
    const next = async (query: Partial<Parameters<Store['listPets']>[0]>) =>
      (await opened.store.listPets({ after: 0n, limit: 2, ...query })).next;
    expect(await next({})).toBeUndefined();
    const batch = [rex, nemo, rex, nemo].map((pet) => add(pet));
    await opened.store.addPets(batch, now);
    expect(await next({})).toBe(2n);
    expect(await next({ after: 1n })).toBe(3n);
    expect(await next({ after: 2n })).toBeUndefined();
    expect(await next({ after: 4n })).toBeUndefined();
    expect(await next({ limit: 1, status: 'sold' })).toBe(2n);
    expect(await next({ limit: 1, status: 'sold', after: 2n })).toBeUndefined();
    expect(await next({ status: 'pending' })).toBeUndefined();
    await opened.store.addPets(batch, now);
    expect(await next({ after: 2n })).toBe(4n);
    expect(await next({ status: 'sold' })).toBe(4n);
    expect(await next({ limit: 1, status: 'sold', after: 2n })).toBe(4n);
  });

  it.each([0n, -1n, 2n, INT64_MIN, INT64_MAX])('finds no pet %s among one', async (id) => {
    await opened.store.addPets([add(rex)], now);
    expect(await opened.store.findPet(id)).toBeUndefined();
  });
}

function describeBatches(opened: OpenedStore): void {
  it('stores nothing of a batch in which one cannot be stored', async () => {
    const impossible = { ...rex, categoryId: INT64_MAX + 1n };
    const batch = [add(rex, 'first'), add(impossible), add(nemo)];
    await expect(opened.store.addPets(batch, now)).rejects.toThrow();
    expect(await opened.list()).toEqual([]);
    expect(await opened.store.addPets([add(nemo, 'first')], now)).toMatchObject([
      { kind: 'added' },
    ]);
  });

  it('adds batches that arrive at once each whole, no id twice', async () => {
    const batches = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        opened.store.addPets([add(rex, `a${index}`), add(nemo, `b${index}`)], now),
      ),
    );
    const ids = batches.flat().map((outcome) => outcome.kind === 'added' && outcome.pet.id);
    expect(new Set(ids).size).toBe(40);
    expect(await opened.list()).toHaveLength(40);
  });

  it('still has them when it is opened again, and continues with their ids', async () => {
    await opened.store.addPets([add(rex)], now);
    await opened.store.close();
    opened.store = await opened.database.open();
    expect(await opened.list()).toHaveLength(1);
    expect(await opened.store.addPets([add(nemo)], now)).toMatchObject([{ pet: { id: 2n } }]);
  });
}
