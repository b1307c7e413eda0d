/** A name for a request in logs. Nobody has a use for guessing it, so it can do without node:crypto, 2.5 ms of a start. */
export function makeRequestId(): string {
  const half = () => Math.random().toString(16).slice(2, 14).padEnd(12, '0');
  return half() + half();
}
