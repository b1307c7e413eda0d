import { IDEMPOTENCY_LIFETIME_MS } from '../../../contract/headers.ts';
import { NoRow } from './columns.ts';
import type { Connection } from './connection/open-connection.ts';

/** How often old idempotency keys are deleted, and how many at once. */
const SWEEP_INTERVAL_MS = 1_000;
const SWEEP_LIMIT = 10_000;

const sweepKeys = {
  name: 'sweep_idempotency_keys',
  text: `DELETE FROM idempotency_keys WHERE key IN (
    SELECT key FROM idempotency_keys WHERE created_at <= $1 LIMIT ${SWEEP_LIMIT} FOR UPDATE SKIP LOCKED)`,
  row: NoRow,
};

/** Keys of this time and before count no more. */
export function findExpiry(now: Date): Date {
  return new Date(now.getTime() - IDEMPOTENCY_LIFETIME_MS);
}

/** Returns what deletes old keys at intervals, without delaying the adds: when it fails, the next sweep tries again. */
export function createKeySweep(query: Connection['query']): (now: Date) => void {
  let nextSweep = 0;

  return (now) => {
    if (performance.now() < nextSweep) return;
    nextSweep = performance.now() + SWEEP_INTERVAL_MS;
    query(sweepKeys, [findExpiry(now)]).catch(() => {});
  };
}
