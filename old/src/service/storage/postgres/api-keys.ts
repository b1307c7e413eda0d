import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import type { Int64 } from '../../../contract/int64.ts';
import { KeyAccess } from '../../../contract/key-info.ts';
import type { ApiKeyRecord, KeyRotation, KeyUse, NewApiKey } from '../store.ts';
import { Bigint, NoRow, OptionalTime } from './columns.ts';
import type { Connection } from './connection/open-connection.ts';
import { reportMissingCounter } from './connection/store-error.ts';

const row = v.object({
  id: Bigint,
  name: v.string(),
  access: KeyAccess,
  createdAt: v.date(),
  lastUsedAt: OptionalTime,
  expiresAt: OptionalTime,
  revokedAt: OptionalTime,
});
const columns = `id, name, access, created_at AS "createdAt", last_used_at AS "lastUsedAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt"`;

const all = {
  name: 'list_keys',
  text: `SELECT ${columns} FROM api_keys ORDER BY id`,
  row,
};
const byHashes = {
  name: 'find_keys',
  text: `SELECT hash, ${columns} FROM api_keys WHERE hash = ANY($1::bytea[])`,
  row: v.object({ hash: v.instance(Uint8Array), ...row.entries }),
};
const insert = {
  name: 'create_key',
  text: `
    WITH turn AS (
      UPDATE id_counters SET last_id = last_id + 1 WHERE name = 'api_keys' RETURNING last_id
    )
    INSERT INTO api_keys (id, hash, name, access, created_at, expires_at)
    SELECT last_id, $1::bytea, $2::text, $3::text, $4::timestamptz, $5::timestamptz FROM turn
    RETURNING ${columns}`,
  row,
};
const rotate = {
  name: 'rotate_key',
  text: `
    WITH former AS (
      UPDATE api_keys SET expires_at = LEAST(COALESCE(expires_at, $7::timestamptz), $7::timestamptz)
      WHERE id = $6 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $4::timestamptz)
      RETURNING id
    ), turn AS (
      UPDATE id_counters SET last_id = last_id + 1
      WHERE name = 'api_keys' AND EXISTS (SELECT 1 FROM former) RETURNING last_id
    )
    INSERT INTO api_keys (id, hash, name, access, created_at, expires_at)
    SELECT last_id, $1::bytea, $2::text, $3::text, $4::timestamptz, $5::timestamptz FROM turn
    RETURNING ${columns}`,
  row,
};
const revoke = {
  name: 'revoke_key',
  text: `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING ${columns}`,
  row,
};
const use = {
  name: 'record_key_uses',
  text: `
    UPDATE api_keys SET last_used_at = used.at
    FROM unnest($1::bigint[], $2::timestamptz[]) AS used (id, at)
    WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
  row: NoRow,
};

/** Reads API keys over one connection. */
export function createApiKeyReader({ query }: Pick<Connection, 'query'>) {
  let waiting: Uint8Array[] = [];
  let found: Promise<Map<string, ApiKeyRecord>> | undefined;

  async function findWaiting(): Promise<Map<string, ApiKeyRecord>> {
    await setImmediate();
    const hashes = waiting;
    waiting = [];
    found = undefined;
    const rows = await query(byHashes, [hashes]);
    return new Map(rows.map(({ hash, ...record }) => [toText(hash), record]));
  }

  return {
    listKeys: (): Promise<ApiKeyRecord[]> => query(all, []),

    /** Look-ups that arrive together are one statement: a flood of keys must not become a flood of statements. */
    async findKey(hash: Uint8Array): Promise<ApiKeyRecord | undefined> {
      waiting.push(hash);
      found ??= findWaiting();
      return (await found).get(toText(hash));
    },
  };
}

function toText(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1');
}

function listValues({ hash, name, access = 'write', createdAt, expiresAt }: NewApiKey) {
  return [hash, name, access, createdAt, expiresAt ?? null];
}

/** Writes API keys over one connection. */
export function createApiKeyWriter({ query }: Pick<Connection, 'query'>) {
  return {
    async createKey(key: NewApiKey): Promise<ApiKeyRecord> {
      const [record] = await query(insert, listValues(key));
      if (record === undefined) throw reportMissingCounter();
      return record;
    },

    rotateKey: async ({ id, endsAt, successor }: KeyRotation): Promise<ApiKeyRecord | undefined> =>
      (await query(rotate, [...listValues(successor), id, endsAt]))[0],

    revokeKey: async (id: Int64, at: Date): Promise<ApiKeyRecord | undefined> =>
      (await query(revoke, [id, at]))[0],

    async recordKeyUses(uses: readonly KeyUse[]): Promise<void> {
      await query(use, [uses.map(({ id }) => id), uses.map(({ at }) => at)]);
    },
  };
}
