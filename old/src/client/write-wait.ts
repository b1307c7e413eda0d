/**
 * Resolves two turns of the event loop later, by when requests sent until now were written: while the service works on
 * them, this process reads what arrived before.
 */
export async function waitForWrites(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Not that of node:timers/promises, which is slow to load. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
