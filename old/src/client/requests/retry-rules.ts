import { type Failure, isStillRunning } from '../request-error.ts';
import type { FailedAttempt } from './attempt.ts';

/** What a request does unless its caller says otherwise. */
export const requestDefaults = {
  /** Milliseconds per attempt. */
  timeout: 30_000,
  /** After the first attempt. */
  retries: 2,
} as const;

const MAX_RETRY_AFTER_S = 60;
const BASE_MS = 200;
const MAX_DELAY_MS = 10_000;

/** Milliseconds until the next attempt; infinite if there is none. */
export function planRetry(
  { failure, retryAfter }: FailedAttempt,
  isWrite: boolean,
  attemptsMade: number,
): number {
  if (!isWorthRetrying(failure, isWrite)) return Infinity;
  return chooseDelay(attemptsMade, retryAfter, Math.random);
}

/**
 * Full jitter over a doubling span, in addition to what the service asked for, so that not all clients return in the
 * same instant. Infinite if it asked for a longer wait than we accept.
 */
export function chooseDelay(
  attemptsMade: number,
  retryAfter: number | undefined,
  random: () => number,
): number {
  const asked = retryAfter ?? 0;
  if (asked > MAX_RETRY_AFTER_S) return Infinity;
  return asked * 1000 + random() * Math.min(MAX_DELAY_MS, BASE_MS * 2 ** attemptsMade);
}

/** Whether another attempt may help: the same for reads and writes, except for what only a write needs. */
function isWorthRetrying(failure: Failure, isWrite: boolean): boolean {
  switch (failure.kind) {
    case 'unreachable':
      return /^(ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|timeout|ECONNRESET|UND_ERR_SOCKET)$/.test(
        failure.code,
      );
    case 'no_response':
      return true;
    case 'response':
      if (isWrite && isStillRunning(failure)) return true;
      return isRetryableStatus(failure.status, isWrite);
    case 'unexpected_response':
      return isRetryableStatus(failure.status, isWrite);
    case 'aborted':
      return false;
  }
}

function isRetryableStatus(status: number | undefined, isWrite: boolean): boolean {
  if (status === undefined) return false;
  return [408, 429, 502, 503, 504].includes(status) || (isWrite && status === 500);
}
