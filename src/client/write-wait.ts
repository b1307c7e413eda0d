import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * A function that resolves two turns of the event loop later, by when requests sent until now were written: while the
 * service works on them, this process reads what arrived before. Those who wait at the same time share one promise.
 */
export function createWriteWait(): () => Promise<void> {
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= nextTurn()
      .then(() => nextTurn())
      .then(() => {
        waiting = undefined;
      });
    return waiting;
  };
}
