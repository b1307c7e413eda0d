import * as v from 'valibot';
import { IDEMPOTENCY_LIFETIME_MS } from '../../../contract/headers.ts';
import { INT64_MAX } from '../../../contract/int64.ts';
import { PetStatus } from '../../../contract/pet.ts';
import {
  type Addition,
  type AddOutcome,
  type PageQuery,
  type Store,
  sampleAddition,
} from '../store.ts';
import { Bigint, type Connections, type Statement, Time } from './pool.ts';
import { locks } from './schema.ts';

/** A pet as it is sent, like `encodePet`. */
const json = `'{"id":' || id || ',"name":' || to_json(name)::text || ',"categoryId":' || category_id
  || ',"status":"' || status || '"}'`;

const PetRow = v.object({ id: Bigint, json: v.string() });
const onePet: Statement<typeof PetRow> = {
  name: 'find_pet',
  text: `SELECT id, ${json} AS json FROM pets WHERE id = $1`,
  row: PetRow,
};

export function createPetReader({ query }: Connections): Pick<Store, 'listPets' | 'findPet'> {
  return {
    async listPets(page) {
      const start = page.order === 'asc' ? 0n : INT64_MAX;
      const rows = await query(pageOf(page), [page.after ?? start]);
      const pets = rows.slice(0, page.limit);
      return {
        json: `[${pets.map((pet) => pet.json).join(',')}]`,
        next: rows.length > page.limit ? pets.at(-1)?.id : undefined,
      };
    },
    findPet: async (id) => (await query(onePet, [id]))[0]?.json,
  };
}

/**
 * One more than asked for shows whether there is a next page. The limit is part of the text: for `LIMIT $2` the planner
 * assumes a tenth of the table. Without a name the server keeps no plan for each limit.
 */
function pageOf({ limit, order, status }: PageQuery): Statement<typeof PetRow> {
  const after = order === 'asc' ? '>' : '<';
  const rule = status === undefined ? `id ${after} $1` : ofStatus(status, after);
  const sorting = status === undefined ? `id ${order}` : `status ${order}, id ${order}`;
  return {
    text: `SELECT id, ${json} AS json FROM pets WHERE ${rule} ORDER BY ${sorting} LIMIT ${limit + 1}`,
    row: PetRow,
  };
}

/**
 * Written so that only the index on (status, id) gives the order: for `status = … ORDER BY id` a planner may walk the primary
 * key instead, expecting the next pet of this status to be near, and read all that follow the last one.
 */
function ofStatus(status: string, after: '>' | '<'): string {
  const bound = after === '>' ? '<=' : '>=';
  return `(status, id) ${after} ('${status}', $1::bigint) AND status ${bound} '${status}'`;
}

/** Old idempotency keys deleted with a batch: more than it brings, few enough to delay nobody. */
const SWEEP_LIMIT = 256;

/**
 * What begins a batch. Batches of all instances take turns, so that ids become visible in their order: with a sequence a
 * lower one could appear later. The settings last for the transaction: no plan from old statistics that reads all
 * idempotency keys; a commit that waits for the disk, whatever the server's default; no turn held by a stopped instance.
 */
const takeTurn = `SET LOCAL enable_seqscan = off;
  SET LOCAL idle_in_transaction_session_timeout = 5000;
  SELECT pg_advisory_xact_lock(${locks.adds}), set_config('synchronous_commit',
    CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true);`;

/** A whole batch in one statement. It starts after the lock is taken, so it sees what earlier turns committed. */
const addBatch = {
  name: 'add_pets',
  text: `
    WITH batch AS (
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[])
        WITH ORDINALITY AS batch (name, category_id, status, key, added_by, position)
    ), earlier AS (
      SELECT key, pet_id, created_at FROM idempotency_keys WHERE key = ANY($4) AND created_at > $7
    ), fresh AS (
      SELECT (SELECT coalesce(max(id), 0) FROM pets) + row_number() OVER (ORDER BY position) AS id, batch.*
      FROM batch WHERE key IS NULL OR key NOT IN (SELECT key FROM earlier)
    ), added AS (
      INSERT INTO pets (id, name, category_id, status, added_by, added_at)
      SELECT id, name, category_id, status, added_by, $6::bigint FROM fresh
    ), noted AS (
      INSERT INTO idempotency_keys (key, pet_id, created_at)
      SELECT key, id, $6::bigint FROM fresh WHERE key IS NOT NULL
      ON CONFLICT (key) DO UPDATE SET pet_id = excluded.pet_id, created_at = excluded.created_at
    )
    SELECT position, id, 'added' AS kind, $6::bigint AS at FROM fresh
    UNION ALL
    SELECT position, pets.id, CASE
      WHEN (pets.name, pets.category_id, pets.status) = (batch.name, batch.category_id, batch.status)
      THEN 'replayed' ELSE 'mismatch' END, created_at
    FROM batch JOIN earlier USING (key) JOIN pets ON pets.id = pet_id
    ORDER BY position`,
};
const OutcomeRows = v.array(
  v.object({ id: Bigint, kind: v.picklist(['added', 'replayed', 'mismatch']), at: Time }),
);

const writeCheck =
  'INSERT INTO write_checks VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET checked_at = $1';

export function createPetWriter({
  transact,
}: Connections): Pick<Store, 'addPets' | 'checkWritable'> {
  return {
    async addPets(additions, at) {
      const now = at.getTime();
      const expiry = now - IDEMPOTENCY_LIFETIME_MS;
      const values = [...listColumns(additions), now, expiry];
      return await transact(
        async (send) => v.parse(OutcomeRows, await send({ ...addBatch, values })).map(toOutcome),
        `${takeTurn} ${sweep(expiry)}`,
      );
    },

    checkWritable: () =>
      transact(async (send) => {
        const now = Date.now();
        await send('SAVEPOINT before_add');
        await send({ ...addBatch, values: [...listColumns([sampleAddition]), now, now] });
        await send('ROLLBACK TO before_add');
        await send({ text: writeCheck, values: [now] });
      }, takeTurn),
  };
}

function listColumns(additions: readonly Addition[]) {
  return [
    additions.map(({ pet }) => pet.name),
    additions.map(({ pet }) => pet.categoryId),
    additions.map(({ pet }) => pet.status),
    additions.map(({ idempotencyKey }) => idempotencyKey ?? null),
    additions.map(({ keyId }) => keyId),
  ];
}

function toOutcome({ id, kind, at }: v.InferOutput<typeof OutcomeRows>[number]): AddOutcome {
  return kind === 'mismatch' ? { kind } : { kind, id, at };
}

function sweep(expiry: number): string {
  return `DELETE FROM idempotency_keys WHERE key IN (
    SELECT key FROM idempotency_keys WHERE created_at <= ${expiry} ORDER BY created_at LIMIT ${SWEEP_LIMIT})`;
}

const select = {
  name: 'read_audit',
  text: `SELECT pets.id, pets.name, category_id AS "categoryId", status, added_by AS "keyId",
      api_keys.name AS "keyName", added_at AS "addedAt"
    FROM pets JOIN api_keys ON api_keys.id = added_by
    WHERE ($1::bigint IS NULL OR pets.id = $1) AND ($2::text IS NULL OR api_keys.name = $2)
      AND ($3::bigint IS NULL OR added_at >= $3)
    ORDER BY pets.id DESC LIMIT $4`,
  row: v.object({
    id: Bigint,
    name: v.string(),
    categoryId: Bigint,
    status: PetStatus,
    keyId: Bigint,
    keyName: v.string(),
    addedAt: Time,
  }),
} as const;

/** Who added which pet. An absent condition is null, and holds. */
export function createAuditReader({ query }: Connections): Store['readAudit'] {
  return ({ limit, petId, keyName, since }) =>
    query(select, [petId ?? null, keyName ?? null, since?.getTime() ?? null, limit]);
}
