import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import { encodePet, type NewPet } from '../../../src/contract/pet.ts';
import type { Addition, AuditQuery, Store } from '../../../src/service/storage/store.ts';
import { anyNewPet } from '../../support/arbitraries.ts';
import { readStoredPets } from '../../support/stored-pets.ts';

/** An empty database on which any number of stores can be opened, one after another or at once. */
export interface StoreDatabase {
  /** Opens it as the service does. */
  open(): Promise<Store>;
  /** Opens it as a command does that shares it with the service. */
  openShared(): Promise<Store>;
  remove(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const now = new Date('2026-11-20T12:00:00Z');
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

const rex: Required<NewPet> = { name: 'Rex', categoryId: 7n, status: 'available' };
const nemo: Required<NewPet> = { name: 'Nemo', categoryId: 3n, status: 'sold' };
const add = (pet: Required<NewPet>, idempotencyKey?: string): Addition => ({ pet, idempotencyKey });

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

    async function list(query: Partial<Parameters<Store['listPets']>[0]> = {}) {
      return readStoredPets(await store.listPets({ after: 0n, limit: 100, ...query }));
    }

    describe('pets', () => {
      it('has none at first', async () => {
        expect(await list()).toEqual([]);
        expect(await store.findPet(1n)).toBeUndefined();
      });

      it('gives ids from 1 on in the order of the batch', async () => {
        const outcomes = await store.addPets([add(rex), add(nemo)], now);
        expect(outcomes).toEqual([
          { kind: 'added', pet: { id: 1n, json: encodePet({ id: 1n, ...rex }) } },
          { kind: 'added', pet: { id: 2n, json: encodePet({ id: 2n, ...nemo }) } },
        ]);
        expect(await store.addPets([add(rex)], now)).toMatchObject([{ pet: { id: 3n } }]);
      });

      it('adds nothing for an empty batch', async () => {
        expect(await store.addPets([], now)).toEqual([]);
        expect(await list()).toEqual([]);
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
        expect(await store.addPets([add(pet)], now)).toEqual([
          { kind: 'added', pet: { id: 1n, json } },
        ]);
        expect(JSON.parse((await store.findPet(1n))?.json ?? '')).toEqual(JSON.parse(json));
        expect((await store.findPet(1n))?.json).toContain(`"categoryId":${pet.categoryId}`);
        expect(await list()).toEqual([await store.findPet(1n)]);
      });

      it('keeps any pet as it was sent', async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(anyNewPet(), { maxLength: 20 }), async (pets) => {
            const outcomes = await store.addPets(
              pets.map((pet) => add(pet)),
              now,
            );
            for (const [index, outcome] of outcomes.entries()) {
              const pet = pets[index];
              if (outcome.kind !== 'added' || pet === undefined) throw new Error('not added');
              const stored = await store.findPet(outcome.pet.id);
              const sent = encodePet({ id: outcome.pet.id, ...pet });
              expect(JSON.parse(stored?.json ?? '')).toEqual(JSON.parse(sent));
              expect(outcome.pet.json).toBe(sent);
            }
          }),
          { numRuns: 20 },
        );
      });

      it('lists by id after the given one, at most as many as requested', async () => {
        await store.addPets(
          [rex, nemo, rex, nemo, rex].map((pet) => add(pet)),
          now,
        );
        const ids = async (query: Partial<Parameters<Store['listPets']>[0]>) =>
          (await list(query)).map((pet) => pet.id);
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
          (await store.listPets({ after: 0n, limit: 2, ...query })).next;
        expect(await next({})).toBeUndefined();
        const batch = [rex, nemo, rex, nemo].map((pet) => add(pet));
        await store.addPets(batch, now);
        expect(await next({})).toBe(2n);
        expect(await next({ after: 1n })).toBe(3n);
        expect(await next({ after: 2n })).toBeUndefined();
        expect(await next({ after: 4n })).toBeUndefined();
        expect(await next({ limit: 1, status: 'sold' })).toBe(2n);
        expect(await next({ limit: 1, status: 'sold', after: 2n })).toBeUndefined();
        expect(await next({ status: 'pending' })).toBeUndefined();
        await store.addPets(batch, now);
        expect(await next({ after: 2n })).toBe(4n);
        expect(await next({ status: 'sold' })).toBe(4n);
        expect(await next({ limit: 1, status: 'sold', after: 2n })).toBe(4n);
      });

      it.each([0n, -1n, 2n, INT64_MIN, INT64_MAX])('finds no pet %s among one', async (id) => {
        await store.addPets([add(rex)], now);
        expect(await store.findPet(id)).toBeUndefined();
      });

      it('stores nothing of a batch in which one cannot be stored', async () => {
        const impossible = { ...rex, categoryId: INT64_MAX + 1n };
        const batch = [add(rex, 'first'), add(impossible), add(nemo)];
        await expect(store.addPets(batch, now)).rejects.toThrow();
        expect(await list()).toEqual([]);
        expect(await store.addPets([add(nemo, 'first')], now)).toMatchObject([{ kind: 'added' }]);
      });

      it('adds batches that arrive at once each whole, no id twice', async () => {
        const batches = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            store.addPets([add(rex, `a${index}`), add(nemo, `b${index}`)], now),
          ),
        );
        const ids = batches.flat().map((outcome) => outcome.kind === 'added' && outcome.pet.id);
        expect(new Set(ids).size).toBe(40);
        expect(await list()).toHaveLength(40);
      });

      it('still has them when it is opened again, and continues with their ids', async () => {
        await store.addPets([add(rex)], now);
        await store.close();
        store = await database.open();
        expect(await list()).toHaveLength(1);
        expect(await store.addPets([add(nemo)], now)).toMatchObject([{ pet: { id: 2n } }]);
      });
    });

    describe('idempotency keys', () => {
      it('return the first outcome again for the same pet', async () => {
        const [first] = await store.addPets([add(rex, 'key')], now);
        expect(await store.addPets([add(rex, 'key')], now)).toEqual([
          { ...first, kind: 'replayed' },
        ]);
        expect(await list()).toHaveLength(1);
      });

      it.each([
        ['name', { ...rex, name: 'rex' }],
        ['category', { ...rex, categoryId: 8n }],
        ['status', { ...rex, status: 'pending' }],
      ] satisfies [string, Required<NewPet>][])('refuse another %s', async (_, pet) => {
        await store.addPets([add(rex, 'key')], now);
        expect(await store.addPets([add(pet, 'key')], now)).toEqual([{ kind: 'mismatch' }]);
        expect(await list()).toHaveLength(1);
      });

      it('decide each addition of a batch by itself', async () => {
        await store.addPets([add(rex, 'a'), add(rex, 'b')], now);
        const kinds = await store.addPets(
          [add(rex, 'a'), add(nemo), add(nemo, 'b'), add(rex)],
          now,
        );
        expect(kinds.map(({ kind }) => kind)).toEqual(['replayed', 'added', 'mismatch', 'added']);
        expect((await list()).map(({ id }) => id)).toEqual([1n, 2n, 3n, 4n]);
      });

      it('are compared exactly', async () => {
        const keys = ['key', 'Key', 'key ', '"key"', 'k'.repeat(255)];
        const outcomes = await store.addPets(
          keys.map((key) => add(rex, key)),
          now,
        );
        expect(outcomes.map(({ kind }) => kind)).toEqual(keys.map(() => 'added'));
      });

      it('outlive a restart', async () => {
        await store.addPets([add(rex, 'key')], now);
        await store.close();
        store = await database.open();
        expect(await store.addPets([add(rex, 'key')], now)).toMatchObject([{ kind: 'replayed' }]);
      });

      it('count for 7 days and then as never used, for 7 days again', async () => {
        await store.addPets([add(rex, 'key')], now);
        const kindAt = async (at: Date) => (await store.addPets([add(rex, 'key')], at))[0]?.kind;
        expect(await kindAt(later(7 * DAY_MS - 1))).toBe('replayed');
        expect(await kindAt(later(7 * DAY_MS))).toBe('added');
        expect(await kindAt(later(14 * DAY_MS - 1))).toBe('replayed');
        expect(await list()).toHaveLength(2);
      });
    });

    describe('API keys', () => {
      const hash = (byte: number) => new Uint8Array(32).fill(byte);
      const newKey = (byte: number, expiresAt?: Date) => ({
        hash: hash(byte),
        name: `key ${byte}`,
        createdAt: now,
        expiresAt,
      });

      it('are found by their hash and by nothing else', async () => {
        const created = await store.createKey(newKey(1, later(DAY_MS)));
        expect(created).toEqual({
          id: created.id,
          name: 'key 1',
          access: 'write',
          createdAt: now,
          expiresAt: later(DAY_MS),
          lastUsedAt: undefined,
          revokedAt: undefined,
        });
        expect(await store.findKey(hash(1))).toEqual(created);
        expect(await store.findKey(hash(2))).toBeUndefined();
      });

      it('are listed in the order they were created', async () => {
        expect(await store.listKeys()).toEqual([]);
        const first = await store.createKey(newKey(1));
        const second = await store.createKey(newKey(2));
        expect(await store.listKeys()).toEqual([first, second]);
      });

      it('are revoked once: the first time stays', async () => {
        const { id } = await store.createKey(newKey(1));
        expect(await store.revokeKey(id, now)).toMatchObject({ id, revokedAt: now });
        expect(await store.revokeKey(id, later(1))).toMatchObject({ id, revokedAt: now });
        expect(await store.findKey(hash(1))).toMatchObject({ revokedAt: now });
        expect(await store.revokeKey(id + 1n, now)).toBeUndefined();
      });

      it('may write unless they are made for reading only', async () => {
        expect(await store.createKey(newKey(1))).toMatchObject({ access: 'write' });
        expect(await store.createKey({ ...newKey(2), access: 'read' })).toMatchObject({
          access: 'read',
        });
        expect(await store.findKey(hash(2))).toMatchObject({ access: 'read' });
      });

      const rotation = (id: bigint, endsAt: Date) => ({
        ...{ id, endsAt },
        successor: {
          ...newKey(9, later(5 * DAY_MS)),
          access: 'read' as const,
          createdAt: later(1),
        },
      });

      it('get a successor and end, but never later than they would have', async () => {
        const [endless, ending] = [
          await store.createKey({ ...newKey(1), access: 'read' }),
          await store.createKey(newKey(2, later(DAY_MS))),
        ];
        const successor = await store.rotateKey(rotation(endless.id, later(2 * DAY_MS)));
        expect(successor).toEqual({
          ...{ id: 3n, name: 'key 9', access: 'read', createdAt: later(1) },
          ...{ lastUsedAt: undefined, expiresAt: later(5 * DAY_MS), revokedAt: undefined },
        });
        const another = { ...rotation(ending.id, later(2 * DAY_MS)), successor: newKey(8) };
        await store.rotateKey(another);
        expect(await store.listKeys()).toMatchObject([
          { id: 1n, access: 'read', expiresAt: later(2 * DAY_MS) },
          { id: 2n, expiresAt: later(DAY_MS) },
          { id: 3n },
          { id: 4n },
        ]);
      });

      it('get no successor once they have ended or were revoked', async () => {
        const ended = await store.createKey(newKey(1, now));
        const revoked = await store.createKey(newKey(2));
        await store.revokeKey(revoked.id, now);
        for (const id of [ended.id, revoked.id, 77n])
          expect(await store.rotateKey(rotation(id, later(DAY_MS)))).toBeUndefined();
        expect(await store.listKeys()).toHaveLength(2);
      });

      it('remember their last use, which never moves back', async () => {
        const { id } = await store.createKey(newKey(1));
        await store.recordKeyUses([{ id, at: later(2) }]);
        await store.recordKeyUses([
          { id, at: later(1) },
          { id: id + 1n, at: later(3) },
        ]);
        expect(await store.findKey(hash(1))).toMatchObject({ lastUsedAt: later(2) });
      });

      it('are seen at once by a service when a command that shares its database creates or revokes them', async () => {
        const shared = await database.openShared();
        onTestFinished(() => shared.close());
        const readPage = () => store.listPets({ after: 0n, limit: 1, status: undefined });
        await readPage();
        const { id } = await shared.createKey(newKey(1));
        expect(await store.findKey(hash(1))).toMatchObject({ id });
        await readPage();
        await shared.revokeKey(id, now);
        expect(await store.findKey(hash(1))).toMatchObject({ id, revokedAt: now });
      });
    });

    describe('the audit', () => {
      const read = (query: Partial<AuditQuery> = {}) =>
        store.readAudit({ after: 0n, limit: 100, ...query });

      it('has key and time of every pet, those of the first add under an idempotency key', async () => {
        await store.addPets([{ ...add(rex, 'key'), keyId: 7n }, add(nemo)], now);
        await store.addPets([{ ...add(rex, 'key'), keyId: 8n }], later(1));
        expect(await read()).toEqual([
          { id: 1n, ...rex, keyId: 7n, addedAt: now },
          { id: 2n, ...nemo, keyId: undefined, addedAt: now },
        ]);
      });

      it('is read by key, by time and page by page', async () => {
        for (const [index, keyId] of [7n, 8n, 7n, 9n].entries())
          await store.addPets([{ ...add(rex), keyId }], later(index));
        const ids = async (query: Partial<AuditQuery>) => (await read(query)).map(({ id }) => id);
        expect(await ids({ keyIds: [7n] })).toEqual([1n, 3n]);
        expect(await ids({ keyIds: [8n, 9n] })).toEqual([2n, 4n]);
        expect(await ids({ keyIds: [] })).toEqual([]);
        expect(await ids({ since: later(1) })).toEqual([2n, 3n, 4n]);
        expect(await ids({ keyIds: [7n], since: later(1) })).toEqual([3n]);
        expect(await ids({ after: 1n, limit: 2 })).toEqual([2n, 3n]);
        expect(await ids({ after: 1n, limit: 1, keyIds: [7n] })).toEqual([3n]);
      });
    });

    it('is ready, and takes a small write that changes no pet', async () => {
      await expect(store.checkReady()).resolves.toBeUndefined();
      await expect(store.tryWrite()).resolves.toBeUndefined();
      expect(store.isStalled()).toBe(false);
      expect(await list()).toEqual([]);
      expect(await store.addPets([add(rex)], now)).toMatchObject([{ pet: { id: 1n } }]);
    });
  });
}
