import { describe, expect, it } from 'vitest';
import { createPace, type Pace } from '../../../src/import/send/concurrency-limit.ts';

describe('pace', () => {
  it('admits no more than its limit, and the next one when one leaves', async () => {
    const pace = createPace(2);
    await pace.enter();
    await pace.enter();
    let isIn = false;
    const third = pace.enter().then(() => {
      isIn = true;
    });
    await Promise.resolve();
    expect(isIn).toBe(false);
    pace.leave();
    await third;
    expect(isIn).toBe(true);
  });

  it('doubles a round up to its maximum while the service keeps up', () => {
    const pace = createPace(32);
    const limits = [4, 8, 16, 32].map((answers) => {
      answer(pace, answers);
      return pace.limit();
    });
    expect(limits).toEqual([8, 16, 32, 32]);
  });

  it('halves at a sign of overload, once for all that was under way', async () => {
    const pace = createPace(32);
    answer(pace, 60);
    for (let request = 0; request < 10; request += 1) await pace.enter();
    for (let request = 0; request < 10; request += 1) {
      pace.slowDown();
      pace.leave();
    }
    expect(pace.limit()).toBe(16);
    pace.slowDown();
    expect(pace.limit()).toBe(8);
  });

  it('grows by one a round after it had to slow down, and never falls below one', () => {
    const pace = createPace(32);
    for (let sign = 0; sign < 9; sign += 1) pace.slowDown();
    expect(pace.limit()).toBe(1);
    answer(pace, 1);
    expect(pace.limit()).toBe(2);
    answer(pace, 2);
    expect(pace.limit()).toBe(2);
    answer(pace, 1);
    expect(pace.limit()).toBe(3);
  });

  it('says when nothing is under way', async () => {
    const pace = createPace(2);
    await pace.idle();
    await pace.enter();
    let isIdle = false;
    const idle = pace.idle().then(() => {
      isIdle = true;
    });
    await Promise.resolve();
    expect(isIdle).toBe(false);
    pace.leave();
    await idle;
  });
});

function answer(pace: Pace, times: number): void {
  for (let time = 0; time < times; time += 1) pace.speedUp();
}
