import * as v from 'valibot';
import { IDEMPOTENCY_LIFETIME_MS } from '../../../../contract/headers.ts';
import type { Int64 } from '../../../../contract/int64.ts';
import { PetStatus } from '../../../../contract/pet.ts';
import type { Connection } from '../connection/open-connection.ts';

/** Old keys deleted with a batch: more than a batch brings, few enough to delay nobody. */
const SWEEP_LIMIT = 2_000;

/** How often they are looked for. */
const SWEEP_INTERVAL_MS = 1_000;

const EarlierRow = v.optional(
  v.object({ id: v.bigint(), name: v.string(), categoryId: v.bigint(), status: PetStatus }),
);

/** The idempotency keys of added pets, for as long as they count. Times are in milliseconds since the epoch. */
export function createIdempotencyKeys(database: Connection) {
  // Replaces a key that is too old to count and not swept yet.
  const insert = database.prepare(
    'INSERT OR REPLACE INTO idempotency_keys (key, pet_id, created_at) VALUES (?, ?, ?)',
  );
  const selectEarlier = database.prepare(
    `SELECT pets.id, name, category_id AS categoryId, status
     FROM idempotency_keys JOIN pets ON pets.id = pet_id WHERE key = ? AND created_at > ?`,
  );
  const sweep = database.prepare(
    `DELETE FROM idempotency_keys WHERE key IN
     (SELECT key FROM idempotency_keys WHERE created_at <= ? LIMIT ${SWEEP_LIMIT})`,
  );
  let sweptAt = Number.NEGATIVE_INFINITY;

  return {
    /** The pet that was added with a key. */
    findPet: (key: string, now: number) =>
      v.parse(EarlierRow, selectEarlier.get(key, now - IDEMPOTENCY_LIFETIME_MS)),

    insertKey: (key: string, petId: Int64, now: number): void => void insert.run(key, petId, now),

    /** Deletes old keys, more often than at intervals only while there is more to delete. */
    sweepIfDue(now: number): void {
      if (Math.abs(now - sweptAt) < SWEEP_INTERVAL_MS) return;
      const { changes } = sweep.run(now - IDEMPOTENCY_LIFETIME_MS);
      if (Number(changes) < SWEEP_LIMIT) sweptAt = now;
    },

    /** A sweep for which no key is old enough: what it needs is there, and nothing is deleted. */
    trySweep: (): void => void sweep.run(0),
  };
}
