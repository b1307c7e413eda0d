import { performance } from 'node:perf_hooks';
import type { Limits } from './limits.ts';

/** Spreads work over turns of the event loop, so that everything else has its turn in between. */
export interface Turns {
  /** Runs work in the order it came: at once, but only so much per turn. */
  wait(work: () => void): void;
  /** Leaves such work out of this turn, for something that can only progress turn by turn. It is not put off for long. */
  skip(): void;
}

export function createTurns({
  deferredPerTurn,
  longestSkip,
}: Pick<Limits, 'deferredPerTurn' | 'longestSkip'>): Turns {
  const waiting: (() => void)[] = [];
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
    const works = mustSkip() ? [] : waiting.splice(0, deferredPerTurn);
    count = works.length;
    if (count > 0 || waiting.length === 0) skippedSince = undefined;
    if (count > 0 || waiting.length > 0) schedule();
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
    skip() {
      isSkipped = true;
      schedule();
    },
  };
}
