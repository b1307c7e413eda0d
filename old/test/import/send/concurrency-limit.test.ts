import { setImmediate as soon } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
} from '../../../src/import/send/concurrency-limit.ts';
import { within } from '../../support/within.ts';

describe('the concurrency limit', () => {
  it('admits no more than it allows, and the next one when one leaves', async () => {
    const limit = createConcurrencyLimit(2);
    await within(limit.enter(), 'one more is let in');
    await within(limit.enter(), 'one more is let in');
    let isIn = false;
    const third = limit.enter().then(() => {
      isIn = true;
    });
    await Promise.resolve();
    expect(isIn).toBe(false);
    limit.leave();
    await within(third, 'the next is let in when one leaves');
    expect(isIn).toBe(true);
  });

  it('doubles per round up to its maximum while the service keeps up', async () => {
    const limit = createConcurrencyLimit(32);
    const admitted: number[] = [];
    for (const responses of [4, 8, 16, 32]) {
      respond(limit, responses);
      admitted.push(await countAdmitted(limit));
    }
    expect(admitted).toEqual([8, 16, 32, 32]);
  });

  it('halves at a sign of overload, once for all that was in flight', async () => {
    const limit = createConcurrencyLimit(32);
    respond(limit, 60);
    for (let request = 0; request < 10; request += 1)
      await within(limit.enter(), 'one more is let in');
    for (let request = 0; request < 10; request += 1) {
      limit.slowDown();
      limit.leave();
    }
    expect(await countAdmitted(limit)).toBe(16);
    limit.slowDown();
    expect(await countAdmitted(limit)).toBe(8);
  });

  it('grows by one per round after it had to slow down, and never falls below one', async () => {
    const limit = createConcurrencyLimit(32);
    for (let sign = 0; sign < 9; sign += 1) limit.slowDown();
    expect(await countAdmitted(limit)).toBe(1);
    respond(limit, 1);
    expect(await countAdmitted(limit)).toBe(2);
    respond(limit, 2);
    expect(await countAdmitted(limit)).toBe(2);
    respond(limit, 1);
    expect(await countAdmitted(limit)).toBe(3);
  });

  it('is lowered again by a sign from a request that left after the last time', async () => {
    const limit = createConcurrencyLimit(32);
    for (let request = 0; request < 4; request += 1)
      await within(limit.enter(), 'one more is let in');
    limit.slowDown();
    for (let request = 0; request < 4; request += 1) limit.leave();
    await within(limit.enter(), 'one more is let in');
    limit.slowDown();
    limit.leave();
    expect(await countAdmitted(limit)).toBe(1);
  });

  it('says when nothing is in flight', async () => {
    const limit = createConcurrencyLimit(2);
    await within(limit.idle(), 'nothing is in flight yet');
    for (let request = 0; request < 2; request += 1)
      await within(limit.enter(), 'one more is let in');
    let isIdle = false;
    const idle = limit.idle().then(() => {
      isIdle = true;
    });
    await Promise.resolve();
    expect(isIdle).toBe(false);
    limit.leave();
    await soon();
    expect(isIdle).toBe(false);
    limit.leave();
    await within(idle, 'nothing is in flight');
  });
});

function respond(limit: ConcurrencyLimit, times: number): void {
  for (let time = 0; time < times; time += 1) limit.speedUp();
}

/** How many of a crowd are let in at once. Nobody is in flight before and after. */
async function countAdmitted(limit: ConcurrencyLimit): Promise<number> {
  let inside = 0;
  const crowd = Array.from({ length: 64 }, () =>
    limit.enter().then(() => {
      inside += 1;
    }),
  );
  await soon();
  const admitted = inside;
  for (const _ of crowd) limit.leave();
  await within(Promise.all(crowd), 'all are let in in turn');
  return admitted;
}
