/** Milliseconds that all attempts of one request may take together. */
export const TOTAL_MS = 120_000;

const MAX_RETRY_AFTER_S = 60;
const BASE_MS = 200;
const MAX_DELAY_MS = 10_000;

/** Whether another attempt may fare better after this status. A write may also follow a 500: its key keeps it from being doubled. */
export function isRetryableStatus(status: number, isWrite: boolean): boolean {
  return [408, 429, 502, 503, 504].includes(status) || (isWrite && status === 500);
}

/**
 * Milliseconds until the next attempt: full jitter over a doubling span, on top of what the service asked for, so that not
 * all clients return at once. Infinite where it asked for a longer wait than we take.
 */
export function chooseDelay(attempts: number, retryAfter = 0): number {
  if (retryAfter > MAX_RETRY_AFTER_S) return Infinity;
  return retryAfter * 1000 + Math.random() * Math.min(MAX_DELAY_MS, BASE_MS * 2 ** attempts);
}

/** A value of `Retry-After` in seconds, given as such or as a date (RFC 9110, section 10.2.3). Undefined for anything else. */
export function parseRetryAfter(value: unknown, now = Date.now()): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,10}$/.test(value)) return Number(value);
  // Date.parse takes almost any text for a date, and every HTTP date begins with a weekday.
  const date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
