const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A time to come on the clock of this machine: `14:32`, on another day `2026-11-23 09:30`. */
export function formatUntil(time: Date, now: Date): string {
  const clock = `${pad(time.getHours())}:${pad(time.getMinutes())}`;
  if (time.toDateString() === now.toDateString()) return clock;
  return `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())} ${clock}`;
}

/** How long ago that was: `20 s ago`, `3 min ago`, `5 h ago`, `2 days ago`. */
export function formatAgo(time: Date, now: Date): string {
  const ms = Math.max(0, now.getTime() - time.getTime());
  if (ms < MINUTE_MS) return `${Math.floor(ms / 1000)} s ago`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ago`;
  return `${Math.floor(ms / DAY_MS)} days ago`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
