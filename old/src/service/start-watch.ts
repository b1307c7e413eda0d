/** How much later than due a look counts as late, in milliseconds. */
const LATE_MS = 250;

/**
 * Calls `look` at regular times. One that is late is left out, though never two in a row: this process was stopped or
 * busy itself, and responses may be here that it has not read yet. Returns what ends it.
 */
export function startWatch(intervalMs: number, look: () => void): () => void {
  let lastTime = performance.now();
  let wasLeftOut = false;
  const timer = setInterval(() => {
    const sinceLast = performance.now() - lastTime;
    lastTime += sinceLast;
    wasLeftOut = sinceLast > intervalMs + LATE_MS && !wasLeftOut;
    if (!wasLeftOut) look();
  }, intervalMs);
  return () => clearInterval(timer);
}
