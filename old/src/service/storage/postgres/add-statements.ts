import * as v from 'valibot';
import { PetStatus } from '../../../contract/pet.ts';
import { Bigint } from './columns.ts';

/**
 * Adds a batch, as long as none of its idempotency keys was used before. Writers take turns at the row that counts ids:
 * its lock is held until the commit is visible, so ids become visible in order on every server that speaks this protocol;
 * with a sequence a lower id could appear later. A key that was used, even by a batch that was committed while this one
 * waited for its turn, has no time here, which a constraint refuses. So keys are looked up only by the index that keeps
 * them unique, whatever the planner thinks of their number, and a turn is short.
 */
export const addNewPets = {
  name: 'add_new_pets',
  text: `
    WITH counted AS (
      UPDATE id_counters SET last_id = last_id + $8 WHERE name = 'pets' RETURNING last_id - $8 AS former_id
    ), added AS (
      INSERT INTO pets (id, name, category_id, status, added_by, added_at)
      SELECT former_id + position, batch.name, category_id, status, added_by, $5::timestamptz
      FROM counted CROSS JOIN unnest($1::text[], $2::bigint[], $3::text[], $7::bigint[])
        WITH ORDINALITY AS batch (name, category_id, status, added_by, position)
    ), claimed AS (
      INSERT INTO idempotency_keys AS former (key, pet_id, created_at)
      SELECT key, former_id + position, $5::timestamptz
      FROM counted CROSS JOIN unnest($4::text[]) WITH ORDINALITY AS batch (key, position)
      WHERE key IS NOT NULL
      ON CONFLICT (key) DO UPDATE SET pet_id = excluded.pet_id,
        created_at = CASE WHEN former.created_at <= $6 THEN excluded.created_at END
    )
    SELECT former_id AS "formerId" FROM counted`,
  row: v.object({ formerId: Bigint }),
};

/** The SQLSTATE of a value that is missing: `addNewPets` fails by it when a key was used before, `addPets` without the counter. */
export const NULL_REFUSED = '23502';

/**
 * Takes the turn for a batch whose keys must be looked up. The look-up goes by the index: statistics may be of a time
 * when there were few keys, and reading all of them for each batch would take the others' turns.
 */
export const takeTurn = {
  name: 'take_turn',
  text: `SELECT set_config('enable_seqscan', 'off', true) FROM id_counters WHERE name = 'pets' FOR UPDATE`,
  row: v.unknown(),
};

/** A whole batch in one statement, which starts after the lock is taken, so it sees what earlier turns committed. */
export const addPets = {
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
