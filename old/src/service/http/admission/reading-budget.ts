import type { Limits } from './limits.ts';

/** Requests up to this weight are carried over into the next turn, which saves noticing where it starts. */
const COUNTED_FROM = 32;

/** How much may be read in a turn of the event loop, in requests. */
export interface ReadingBudget {
  /** Counts something that was read. */
  spend(weight: number): void;
  isSpent(): boolean;
  /** Has the turn begin now: nothing was read in it yet. */
  startTurn(): void;
}

/** Calls back when the budget of a turn is spent. */
export function createReadingBudget(
  { requestsPerTurn }: Pick<Limits, 'requestsPerTurn'>,
  onSpent: () => void,
): ReadingBudget {
  /** What was read in this turn. */
  let read = 0;
  let isCounting = false;

  function startTurn(): void {
    isCounting = false;
    read = 0;
  }

  function isSpent(): boolean {
    return read >= requestsPerTurn;
  }

  return {
    isSpent,
    startTurn,
    spend(weight) {
      const before = read;
      read += weight;
      if (read < COUNTED_FROM) return;
      if (!isCounting) setImmediate(startTurn);
      isCounting = true;
      if (before < requestsPerTurn && isSpent()) onSpent();
    },
  };
}
