import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAddQueue } from '../../../src/service/storage/add-queue.ts';
import { type Addition, type AddOutcome, StoreError } from '../../../src/service/storage/store.ts';

const now = new Date('2026-11-25');
const rex: Addition = { pet: { name: 'Rex', categoryId: 1n, status: 'available' }, keyId: 1n };

/** A store that writes a batch when it is told to. */
function createStore() {
  const batches: { size: number; end(): void; fail(error: Error): void }[] = [];
  let lastId = 0n;
  const addPets = (additions: readonly Addition[]) =>
    new Promise<AddOutcome[]>((resolve, reject) => {
      const outcomes = additions.map((): AddOutcome => ({ kind: 'added', id: ++lastId, at: now }));
      batches.push({ size: additions.length, end: () => resolve(outcomes), fail: reject });
    });
  return { batches, queue: createAddQueue({ addPets }, { clock: () => now, limit: 1_024 }) };
}

describe('the queue of adds', () => {
  it('writes what arrives at once as one batch, and what arrives meanwhile as the next', async () => {
    const { batches, queue } = createStore();
    const first = [queue.add(rex), queue.add(rex)];
    await nextTurn();
    const second = [queue.add(rex), queue.add(rex), queue.add(rex)];
    batches[0]?.end();
    await Promise.all(first);
    await nextTurn();
    batches[1]?.end();
    expect((await Promise.all(second)).map((outcome) => 'id' in outcome && outcome.id)).toEqual([
      3n,
      4n,
      5n,
    ]);
    expect(batches.map(({ size }) => size)).toEqual([2, 3]);
  });

  it('puts at most 128 adds into a batch', async () => {
    const { batches, queue } = createStore();
    const adds = Array.from({ length: 130 }, () => queue.add(rex));
    await nextTurn();
    batches[0]?.end();
    await adds[0];
    await nextTurn();
    batches[1]?.end();
    await Promise.all(adds);
    expect(batches.map(({ size }) => size)).toEqual([128, 2]);
  });

  it('refuses an add when 1,024 are waiting', async () => {
    const { batches, queue } = createStore();
    const running = queue.add(rex);
    await nextTurn();
    const waiting = Array.from({ length: 1_024 }, () => queue.add(rex));
    await expect(queue.add(rex)).rejects.toMatchObject({ body: { code: 'unavailable' } });
    batches[0]?.end();
    await running;
    for (const [index] of waiting.entries()) {
      if (index % 128 !== 0) continue;
      await nextTurn();
      batches.at(-1)?.end();
    }
    await Promise.all(waiting);
  });

  it('fails every add of a batch that fails, and no other', async () => {
    const { batches, queue } = createStore();
    const failing = [queue.add(rex), queue.add(rex)];
    await nextTurn();
    const next = queue.add(rex);
    batches[0]?.fail(new StoreError('the disk is full'));
    const results = await Promise.allSettled(failing);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await nextTurn();
    batches[1]?.end();
    await expect(next).resolves.toMatchObject({ kind: 'added' });
  });

  it('refuses an idempotency key while the first add with it runs, and takes it after that', async () => {
    const { batches, queue } = createStore();
    const keyed = { ...rex, idempotencyKey: 'a' };
    const first = queue.add(keyed);
    await expect(queue.add(keyed)).rejects.toMatchObject({
      body: { code: 'idempotency_conflict' },
    });
    await nextTurn();
    batches[0]?.end();
    await first;
    const again = queue.add(keyed);
    await nextTurn();
    batches[1]?.end();
    await expect(again).resolves.toBeDefined();
  });

  it('takes an idempotency key again after an add with it that failed', async () => {
    const { batches, queue } = createStore();
    const keyed = { ...rex, idempotencyKey: 'a' };
    const first = queue.add(keyed);
    await nextTurn();
    batches[0]?.fail(new StoreError('the disk is full'));
    await expect(first).rejects.toThrow('the disk is full');
    const again = queue.add(keyed);
    await nextTurn();
    batches[1]?.end();
    await expect(again).resolves.toMatchObject({ kind: 'added' });
  });
});
