import * as v from 'valibot';
import type { CopyEndpoint } from '../copy/copy-endpoint.ts';
import { maskDatabaseUrl } from '../mask-database-url.ts';
import { StoreOpenError } from '../store.ts';
import { ApiKeyRow, apiKeyColumns, Bigint, NoRow, PetRow, petColumns } from './columns.ts';
import { openConnection } from './connection/open-connection.ts';
import { openDatabase } from './connection/open-database.ts';

/** Counting a large table takes longer than a request may. */
const STATEMENT_TIMEOUT_MS = 10 * 60 * 1000;

const Count = v.pipe(v.string(), v.transform(Number));

/**
 * Held until the session ends. A database that was both source and target, under two spellings of its URL, would lose
 * its idempotency keys, which a copy deletes first.
 */
const lock = {
  name: 'lock_for_copy',
  text: `SELECT pg_try_advisory_lock('pets'::regclass::oid::bigint) AS "isOurs"`,
  row: v.object({ isOurs: v.boolean() }),
};
const counts = {
  name: 'count_rows',
  text: `SELECT (SELECT count(*) FROM pets) AS pets,
    (SELECT count(*) FROM idempotency_keys) AS "idempotencyKeys", (SELECT count(*) FROM api_keys) AS "apiKeys"`,
  row: v.object({ pets: Count, idempotencyKeys: Count, apiKeys: Count }),
};
const lastPet = {
  name: 'last_pet',
  text: 'SELECT COALESCE(max(id), 0) AS id FROM pets',
  row: v.object({ id: Bigint }),
};
const pets = {
  name: 'read_pets',
  text: `SELECT ${petColumns} FROM pets WHERE id > $1 ORDER BY id LIMIT $2`,
  row: PetRow,
};
const idempotencyKeys = {
  name: 'read_idempotency_keys',
  text: `SELECT key, pet_id AS "petId", created_at AS "createdAt" FROM idempotency_keys
    WHERE key > $1 ORDER BY key LIMIT $2`,
  row: v.object({ key: v.string(), petId: Bigint, createdAt: v.date() }),
};
const apiKeys = {
  name: 'read_api_keys',
  text: `SELECT ${apiKeyColumns}, hash FROM api_keys WHERE id > $1 ORDER BY id LIMIT $2`,
  row: v.object({ ...ApiKeyRow.entries, hash: v.instance(Uint8Array) }),
};
const append = {
  name: 'append_pets',
  text: `
    WITH counted AS (
      UPDATE id_counters SET last_id = $5 WHERE name = 'pets' AND last_id = $6 RETURNING last_id
    ), added AS (
      INSERT INTO pets (id, name, category_id, status)
      SELECT batch.* FROM counted
        CROSS JOIN unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[]) AS batch
    )
    SELECT last_id FROM counted`,
  row: v.unknown(),
};
const clear = { name: 'clear_idempotency_keys', text: 'DELETE FROM idempotency_keys', row: NoRow };
const putIdempotencyKeys = {
  name: 'put_idempotency_keys',
  text: `INSERT INTO idempotency_keys (key, pet_id, created_at)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::timestamptz[])`,
  row: NoRow,
};
const putApiKeys = {
  name: 'put_api_keys',
  text: `
    WITH counted AS (
      UPDATE id_counters SET last_id = GREATEST(last_id, $8) WHERE name = 'api_keys'
    )
    INSERT INTO api_keys (id, hash, name, created_at, last_used_at, expires_at, revoked_at)
    SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::timestamptz[], $5::timestamptz[],
      $6::timestamptz[], $7::timestamptz[])
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, last_used_at = excluded.last_used_at,
      expires_at = excluded.expires_at, revoked_at = excluded.revoked_at`,
  row: NoRow,
};

/** Opens a PostgreSQL database for a copy, and keeps every other copy off it meanwhile. @throws StoreOpenError */
export async function openPostgresCopyEndpoint(url: string): Promise<CopyEndpoint> {
  const config = await openDatabase(url);
  const { query, close } = openConnection({ ...config, statement_timeout: STATEMENT_TIMEOUT_MS });
  const [held] = await query(lock, []);
  if (!held?.isOurs) {
    await close();
    throw new StoreOpenError(
      `the database ${maskDatabaseUrl(url)} is already part of a copy: wait until it ends; --from and --to must be two databases`,
    );
  }
  return {
    async countRows() {
      const [row] = await query(counts, []);
      return row ?? { pets: 0, idempotencyKeys: 0, apiKeys: 0 };
    },
    lastPetId: async () => (await query(lastPet, []))[0]?.id ?? 0n,
    readPets: (after, limit) => query(pets, [after, limit]),
    readIdempotencyKeys: (after, limit) => query(idempotencyKeys, [after, limit]),
    readApiKeys: (after, limit) => query(apiKeys, [after, limit]),
    async appendPets(batch, last) {
      const columns = [
        batch.map(({ id }) => id),
        batch.map(({ name }) => name),
        batch.map(({ categoryId }) => categoryId),
        batch.map(({ status }) => status),
      ];
      const counted = await query(append, [...columns, batch.at(-1)?.id ?? last, last]);
      return counted.length > 0;
    },
    async clearIdempotencyKeys() {
      await query(clear, []);
    },
    async putIdempotencyKeys(keys) {
      await query(putIdempotencyKeys, [
        keys.map(({ key }) => key),
        keys.map(({ petId }) => petId),
        keys.map(({ createdAt }) => createdAt),
      ]);
    },
    async putApiKeys(keys) {
      await query(putApiKeys, [
        keys.map(({ id }) => id),
        keys.map(({ hash }) => Buffer.from(hash)),
        keys.map(({ name }) => name),
        keys.map(({ createdAt }) => createdAt),
        keys.map(({ lastUsedAt }) => lastUsedAt ?? null),
        keys.map(({ expiresAt }) => expiresAt ?? null),
        keys.map(({ revokedAt }) => revokedAt ?? null),
        keys.at(-1)?.id ?? 0n,
      ]);
    },
    close,
  };
}
