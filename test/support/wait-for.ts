import { setTimeout as pause } from 'node:timers/promises';

/** Repeats a check until it stops throwing and returns its result; after twenty seconds it throws what the check threw last. */
export async function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await pause(20);
    }
  }
}
