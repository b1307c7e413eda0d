import { setTimeout as pause } from 'node:timers/promises';

const TICK_MS = 50;

/**
 * Waits for a promise, and after a second (or `ms`) fails with the sentence of what was expected: a test that runs into
 * its time limit does not say it. Time in which this process itself was kept from running does not count.
 */
export async function within<T>(promise: Promise<T>, expected: string, ms = 1_000): Promise<T> {
  const isSettled = promise.then(
    () => true,
    () => true,
  );
  for (let waited = 0; waited < ms; waited += TICK_MS)
    if (await Promise.race([isSettled, pause(TICK_MS, false)])) return await promise;
  throw new Error(`Not within ${ms} ms: ${expected}`);
}
