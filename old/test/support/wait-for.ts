import { setTimeout as pause } from 'node:timers/promises';

/** Repeats a check until it stops throwing; after ten seconds it throws what the check threw last. */
export async function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  const giveUp = Date.now() + 10_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > giveUp) throw error;
      await pause(10);
    }
  }
}
