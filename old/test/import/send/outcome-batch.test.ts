import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutcomeBatch } from '../../../src/import/send/outcome-batch.ts';
import type { RowResult } from '../../../src/import/staging/staging.ts';

const rex = { name: 'Rex', categoryId: 1n };
const resultOf = (number: number): RowResult => ({
  row: { number, line: number + 1, pet: rex, source: 'Rex,1' },
  outcome: { kind: 'added', pet: { id: BigInt(number), ...rex } },
});
const [one, two] = [resultOf(1), resultOf(2)];

/** A batch whose transactions fail while `failure` is set, and all that happened with it in its order. */
function setUp() {
  const steps: unknown[] = [];
  const disk: { failure?: Error } = {};
  const batch = createOutcomeBatch({
    staging: {
      record: (results, announced) => {
        if (disk.failure !== undefined) throw disk.failure;
        steps.push(['stored', results, announced]);
      },
    },
    onOutcome: (result) => void steps.push(['reported', result]),
    onFailure: (error) => void steps.push(['failed', error]),
  });
  return { ...batch, steps, disk };
}

describe('outcomes of rows', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are stored together after 200 ms, then reported', async () => {
    const { add, steps } = setUp();
    add(one);
    await vi.advanceTimersByTimeAsync(150);
    add(two);
    expect(steps).toEqual([]);
    await vi.advanceTimersByTimeAsync(50);
    const all = [
      ['stored', [one, two], undefined],
      ['reported', one],
      ['reported', two],
    ];
    expect(steps).toEqual(all);
    await vi.advanceTimersByTimeAsync(1000);
    expect(steps).toEqual(all);
  });

  it('are stored at once with what is announced, and an announcement without any', async () => {
    const { add, flush, steps } = setUp();
    const announced = { upTo: 4, at: new Date(0) };
    await flush(announced);
    add(one);
    await flush(announced);
    await flush();
    expect(steps).toEqual([
      ['stored', [], announced],
      ['stored', [one], announced],
      ['reported', one],
    ]);
  });

  it('that cannot be stored are counted, and stay for the next time', async () => {
    const { add, flush, steps, disk, countUnstored } = setUp();
    disk.failure = new Error('the disk is full');
    add(one);
    await vi.advanceTimersByTimeAsync(200);
    expect(steps).toEqual([['failed', disk.failure]]);
    expect(countUnstored()).toBe(1);
    delete disk.failure;
    await flush();
    expect(steps.slice(1)).toEqual([
      ['stored', [one], undefined],
      ['reported', one],
    ]);
    expect(countUnstored()).toBe(0);
  });
});
