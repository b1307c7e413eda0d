import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { IDEMPOTENCY_LIFETIME_MS } from '../../../contract/headers.ts';
import { PetStatus } from '../../../contract/pet.ts';
import { toAddOutcome } from '../add-outcome.ts';
import type { Addition, AddOutcome } from '../store.ts';
import { Bigint, NoRow } from './columns.ts';
import type { Connection } from './connection/open-connection.ts';
import { isConflict } from './connection/store-error.ts';

const ATTEMPTS = 5;

/** How often old idempotency keys are deleted, and how many at once. */
const SWEEP_INTERVAL_MS = 1_000;
const SWEEP_LIMIT = 10_000;

/**
 * Writers take turns at the row that counts ids. Its lock is held until the commit is visible, so ids become visible in
 * order on every server that speaks this protocol; with a sequence a lower id could appear later.
 */
const takeTurn = {
  name: 'take_turn',
  text: "SELECT last_id FROM id_counters WHERE name = 'pets' FOR UPDATE",
  row: v.unknown(),
};

/** A whole batch in one statement, which starts after the lock is taken, so it sees what earlier turns committed. */
const addBatch = {
  name: 'add_pets',
  text: `
    WITH incoming AS (
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $7::bigint[])
        WITH ORDINALITY AS batch (name, category_id, status, key, added_by, position)
    ), earlier AS (
      SELECT key, pet_id FROM idempotency_keys WHERE key = ANY($4::text[]) AND created_at > $6
    ), fresh AS (
      SELECT position, name, category_id, status, key, added_by,
        (SELECT last_id FROM id_counters WHERE id_counters.name = 'pets')
          + row_number() OVER (ORDER BY position) AS id
      FROM incoming WHERE key IS NULL OR key NOT IN (SELECT key FROM earlier)
    ), counted AS (
      UPDATE id_counters SET last_id = (SELECT max(id) FROM fresh)
      WHERE name = 'pets' AND EXISTS (SELECT 1 FROM fresh)
    ), added AS (
      INSERT INTO pets (id, name, category_id, status, added_by, added_at)
      SELECT id, name, category_id, status, added_by, $5::timestamptz FROM fresh
    ), claimed AS (
      INSERT INTO idempotency_keys (key, pet_id, created_at)
      SELECT key, id, $5::timestamptz FROM fresh WHERE key IS NOT NULL
      ON CONFLICT (key) DO UPDATE SET pet_id = excluded.pet_id, created_at = excluded.created_at
    )
    SELECT position, id, NULL AS name, NULL AS "categoryId", NULL AS status FROM fresh
    UNION ALL
    SELECT position, pets.id, pets.name, pets.category_id::text, pets.status
    FROM incoming JOIN earlier USING (key) JOIN pets ON pets.id = earlier.pet_id`,
  row: v.object({
    position: Bigint,
    id: Bigint,
    name: v.nullable(v.string()),
    categoryId: v.nullable(Bigint),
    status: v.nullable(PetStatus),
  }),
};
type BatchRow = v.InferOutput<typeof addBatch.row>;

const sweepKeys = {
  name: 'sweep_idempotency_keys',
  text: `DELETE FROM idempotency_keys WHERE key IN (
    SELECT key FROM idempotency_keys WHERE created_at <= $1 LIMIT ${SWEEP_LIMIT} FOR UPDATE SKIP LOCKED)`,
  row: NoRow,
};

/** Adds pets over one connection. */
export function createPetWriter({ query, queryLocked }: Pick<Connection, 'query' | 'queryLocked'>) {
  let nextSweep = 0;

  async function insert(additions: readonly Addition[], now: Date): Promise<AddOutcome[]> {
    const rows = await queryLocked(takeTurn, addBatch, [
      additions.map(({ pet }) => pet.name),
      additions.map(({ pet }) => pet.categoryId),
      additions.map(({ pet }) => pet.status),
      additions.map(({ idempotencyKey }) => idempotencyKey ?? null),
      now,
      new Date(now.getTime() - IDEMPOTENCY_LIFETIME_MS),
      additions.map(({ keyId }) => keyId ?? null),
    ]);
    const byPosition = new Map(rows.map((row) => [Number(row.position), row]));
    return additions.map((addition, index) => toOutcome(addition, byPosition.get(index + 1)));
  }

  /** Without delaying the adds: when it fails, the next sweep tries again. */
  function sweepIfDue(now: Date): void {
    if (performance.now() < nextSweep) return;
    nextSweep = performance.now() + SWEEP_INTERVAL_MS;
    query(sweepKeys, [new Date(now.getTime() - IDEMPOTENCY_LIFETIME_MS)]).catch(() => {});
  }

  return {
    async addPets(additions: readonly Addition[], now: Date): Promise<AddOutcome[]> {
      if (additions.length === 0) return [];
      const outcomes = await retryConflicts(() => insert(additions, now));
      sweepIfDue(now);
      return outcomes;
    },
  };
}

/** Servers that do not block writers roll one back instead; nothing of it was stored. */
async function retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (attempt === ATTEMPTS || !isConflict(cause)) throw error;
      await delay(Math.random() * 2 ** attempt);
    }
  }
}

function toOutcome({ pet }: Addition, row: BatchRow | undefined): AddOutcome {
  if (row === undefined) throw new Error('an idempotency key refers to a pet that does not exist');
  return toAddOutcome(row.id, pet, row.name === null ? undefined : row);
}
