import { describe, expect, it, vi } from 'vitest';
import { createAddQueue } from '../../../src/service/storage/add-queue.ts';
import { type AddOutcome, StoreUnavailableError } from '../../../src/service/storage/store.ts';

const addition = { pet: { name: 'Rex', categoryId: 7n, status: 'available' } } as const;
const added: AddOutcome = { kind: 'added', pet: { id: 1n, json: '{}' } };

/** A queue whose batches are ended by the test. */
function openQueue() {
  const batches: { resolve(): void; reject(error: unknown): void }[] = [];
  const database = { isStalled: false };
  const queue = createAddQueue(
    {
      isStalled: () => database.isStalled,
      addPets: (additions) =>
        new Promise((resolve, reject) => {
          batches.push({ resolve: () => resolve(additions.map(() => added)), reject });
        }),
    },
    () => new Date(),
  );
  const untilBatches = (count: number) =>
    vi.waitFor(() => expect(batches).toHaveLength(count), { interval: 1 });
  return { queue, batches, database, untilBatches };
}

const lost = new StoreUnavailableError('the connection was lost');

describe('adds that wait for a batch', () => {
  it.each([
    { milliseconds: 1_001, outcome: 'refused' },
    { milliseconds: 999, outcome: 'tried' },
  ])('that fails after $milliseconds ms are $outcome', async ({ milliseconds, outcome }) => {
    let time = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => time);
    const { queue, batches, untilBatches } = openQueue();
    const first = queue.add(addition);
    await untilBatches(1);
    const second = queue.add(addition);
    time += milliseconds;
    const failed = expect(first).rejects.toBe(lost);
    batches[0]?.reject(lost);
    await failed;
    if (outcome === 'refused') {
      await expect(second).rejects.toThrow('has waited for the database for too long');
      expect(batches).toHaveLength(1);
    } else {
      await untilBatches(2);
      batches[1]?.resolve();
      await expect(second).resolves.toEqual(added);
    }
    expect(queue.size).toBe(0);
  });

  it('are refused with every further one while the database stalls', async () => {
    const { queue, batches, database, untilBatches } = openQueue();
    const first = queue.add(addition);
    await untilBatches(1);
    const second = expect(queue.add(addition)).rejects.toThrow(StoreUnavailableError);
    database.isStalled = true;
    await expect(queue.add(addition)).rejects.toThrow(StoreUnavailableError);
    await second;
    database.isStalled = false;
    batches[0]?.resolve();
    expect(await first).toEqual(added);
    const third = queue.add(addition);
    await untilBatches(2);
    batches[1]?.resolve();
    expect(await third).toEqual(added);
  });
});
