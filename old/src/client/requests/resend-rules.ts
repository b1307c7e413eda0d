import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/headers.ts';
import type { Failure } from '../request-error.ts';

/** A key that is about to be forgotten may be forgotten by the time it arrives. */
const KEY_MARGIN_MS = 60 * 60 * 1000;

/** By so much the clock may have been set back since a write was sent. */
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000;

/**
 * When a write must have been sent first for the service to recognize its idempotency key now. A time that is still to
 * come says nothing of the age of a key.
 */
export function findResendWindow(now: Date): { from: Date; until: Date } {
  const time = now.getTime();
  return {
    from: new Date(time - IDEMPOTENCY_LIFETIME_MS + KEY_MARGIN_MS),
    until: new Date(time + CLOCK_TOLERANCE_MS),
  };
}

/** Statuses that concern the pet itself and not the request as such: the next pet may fare better. */
const petStatuses = [400, 413, 422];

/** Whether the service refused this pet, and would refuse it again. */
export function isAboutThisPet(
  failure: Failure,
): failure is Extract<Failure, { kind: 'response' }> {
  return failure.kind === 'response' && petStatuses.includes(failure.status);
}
