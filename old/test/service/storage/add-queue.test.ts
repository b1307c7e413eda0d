import { describe, expect, it, vi } from 'vitest';
import { createAddQueue } from '../../../src/service/storage/add-queue.ts';
import { type AddOutcome, StoreUnavailableError } from '../../../src/service/storage/store.ts';

const addition = { pet: { name: 'Rex', categoryId: 7n, status: 'available' } } as const;
const added: AddOutcome = { kind: 'added', pet: { id: 1n, json: '{}' } };

/** A queue whose batches are ended by the test. */
function openQueue(batchesAtOnce: 1 | 2 = 1) {
  const batches: { size: number; resolve(): void; reject(error: unknown): void }[] = [];
  const database = { isStalled: false };
  const queue = createAddQueue(
    {
      batchesAtOnce,
      isStalled: () => database.isStalled,
      addPets: (additions) =>
        new Promise((resolve, reject) => {
          const size = additions.length;
          batches.push({ size, resolve: () => resolve(additions.map(() => added)), reject });
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

describe('a batch that is sent while another is written', () => {
  /** Two batches in flight, and an add that waits for them. */
  async function sendTwo() {
    let time = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => time);
    const { queue, batches, untilBatches } = openQueue(2);
    const add = (count: number) => Array.from({ length: count }, () => queue.add(addition));
    const [single] = add(1);
    await untilBatches(1);
    batches[0]?.resolve();
    await single;
    const others = Promise.allSettled(add(32));
    await untilBatches(3);
    const [, first, second] = batches;
    const pass = (milliseconds: number) => (time += milliseconds);
    return { queue, batches, untilBatches, first, second, others, pass };
  }

  it('is not slow by the time that it waited for one that succeeds', async () => {
    const { queue, batches, untilBatches, first, second, others, pass } = await sendTwo();
    const last = queue.add(addition);
    pass(1_900);
    first?.resolve();
    await new Promise(setImmediate);
    pass(10);
    second?.reject(lost);
    await others;
    await untilBatches(4);
    batches[3]?.resolve();
    await expect(last).resolves.toEqual(added);
  });

  it('and fails quickly after one that failed slowly refuses nobody who came meanwhile', async () => {
    const { queue, batches, untilBatches, first, second, others, pass } = await sendTwo();
    const refused = expect(queue.add(addition)).rejects.toThrow(
      'waited for the database for too long',
    );
    pass(2_000);
    first?.reject(lost);
    await refused;
    const last = queue.add(addition);
    second?.reject(lost);
    await others;
    await untilBatches(4);
    batches[3]?.resolve();
    await expect(last).resolves.toEqual(added);
    expect(queue.size).toBe(0);
  });
});

it.each([
  { batchesAtOnce: 1, sizes: [1, 100] },
  { batchesAtOnce: 2, sizes: [1, 50, 50] },
] as const)(
  'a burst after a quiet time is written in as many batches as the store takes: $sizes',
  async ({ batchesAtOnce, sizes }) => {
    const { queue, batches, untilBatches } = openQueue(batchesAtOnce);
    const single = queue.add(addition);
    await untilBatches(1);
    batches[0]?.resolve();
    await single;
    const burst = Array.from({ length: 100 }, () => queue.add(addition));
    await untilBatches(sizes.length);
    expect(batches.map(({ size }) => size)).toEqual(sizes);
    for (const { resolve } of batches) resolve();
    await Promise.all(burst);
  },
);

describe('the adds of 64 clients', () => {
  /** Adds for each client, ends the first batch, and adds again for those who were in it. */
  async function addAgain(batchesAtOnce: 1 | 2) {
    const { queue, batches, untilBatches } = openQueue(batchesAtOnce);
    const add = (count: number) => Array.from({ length: count }, () => queue.add(addition));
    const first = add(64);
    await untilBatches(1);
    batches[0]?.resolve();
    await Promise.all(first);
    const second = add(64);
    return { batches, second, untilBatches, queue };
  }

  it('are written in two halves where the store takes two batches, the second sent before the first is written', async () => {
    const { batches, second, untilBatches, queue } = await addAgain(2);
    await untilBatches(3);
    expect(batches.map(({ size }) => size)).toEqual([64, 32, 32]);
    for (const { resolve } of batches) resolve();
    await Promise.all(second);
    expect(queue.size).toBe(0);
  });

  it('are written together where it takes one', async () => {
    const { batches, second, untilBatches } = await addAgain(1);
    await untilBatches(2);
    expect(batches.map(({ size }) => size)).toEqual([64, 64]);
    batches[1]?.resolve();
    await Promise.all(second);
  });

  it('wait for the batch before while they fill no batch', async () => {
    const { queue, batches, untilBatches } = openQueue(2);
    const first = queue.add(addition);
    await untilBatches(1);
    const others = Array.from({ length: 15 }, () => queue.add(addition));
    await new Promise(setImmediate);
    expect(batches).toHaveLength(1);
    batches[0]?.resolve();
    await first;
    await untilBatches(2);
    expect(batches[1]?.size).toBe(15);
    batches[1]?.resolve();
    await Promise.all(others);
  });
});
