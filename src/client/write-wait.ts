/**
 * A function that resolves two turns of the event loop later, by when requests sent until now were written: while the
 * service works on them, this process reads what arrived before. Those who wait at the same time share one promise.
 */
export function createWriteWait(): () => Promise<void> {
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= new Promise((resolve) => {
      const end = () => {
        waiting = undefined;
        resolve();
      };
      setImmediate(() => setImmediate(end));
    });
    return waiting;
  };
}
