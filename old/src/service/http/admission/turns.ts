import { performance } from 'node:perf_hooks';
import type { Limits } from './limits.ts';

/** Spreads work over turns of the event loop, so that everything else has its turn in between. */
export interface Turns {
  /** Runs work in the order it came: at once, but only so much per turn. */
  wait(work: () => void): void;
  /** Leaves such work out of this turn, for something that can only progress turn by turn. It is not put off for long. */
  skip(): void;
  /** Runs work in the next turn that is not left out, before what waits. */
  next(work: () => void): void;
}

export function createTurns({
  deferredPerTurn,
  longestSkip,
}: Pick<Limits, 'deferredPerTurn' | 'longestSkip'>): Turns {
  const waiting: (() => void)[] = [];
  const following: (() => void)[] = [];
  let isScheduled = false;
  /** Work of this turn. */
  let count = 0;
  let isSkipped = false;
  let skippedSince: number | undefined;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(startTurn);
  }

  function mustSkip(): boolean {
    if (!isSkipped) return false;
    isSkipped = false;
    skippedSince ??= performance.now();
    return performance.now() - skippedSince < longestSkip;
  }

  function startTurn(): void {
    isScheduled = false;
    const isLeftOut = mustSkip();
    const first = isLeftOut ? [] : following.splice(0);
    const works = isLeftOut ? [] : waiting.splice(0, deferredPerTurn);
    count = works.length;
    const isWaiting = waiting.length > 0 || following.length > 0;
    if (!isLeftOut || !isWaiting) skippedSince = undefined;
    if (count > 0 || isWaiting) schedule();
    for (const work of first) work();
    for (const work of works) work();
  }

  return {
    wait(work) {
      schedule();
      if (isSkipped || count >= deferredPerTurn || waiting.length > 0) {
        waiting.push(work);
        return;
      }
      count += 1;
      work();
    },
    next(work) {
      following.push(work);
      schedule();
    },
    skip() {
      isSkipped = true;
      schedule();
    },
  };
}
