import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Resolves two turns of the event loop later, by when requests sent until now were written: while the service works on
 * them, this process reads what arrived before.
 */
export async function waitForWrites(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
