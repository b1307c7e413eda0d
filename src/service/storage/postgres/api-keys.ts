import * as v from 'valibot';
import { KeyAccess } from '../../../contract/headers.ts';
import type { Store } from '../store.ts';
import { Bigint, type Connections, OptionalTime, Time } from './pool.ts';
import { locks } from './schema.ts';

const row = v.object({
  id: Bigint,
  name: v.string(),
  access: KeyAccess,
  createdAt: Time,
  lastUsedAt: OptionalTime,
  expiresAt: OptionalTime,
  revokedAt: OptionalTime,
});
const columns = `id, name, access, created_at AS "createdAt", last_used_at AS "lastUsedAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt"`;
const none = v.object({});

const statements = {
  list: { name: 'list_keys', text: `SELECT ${columns} FROM api_keys ORDER BY id`, row },
  find: { name: 'find_key', text: `SELECT ${columns} FROM api_keys WHERE hash = $1`, row },
  revoke: {
    name: 'revoke_key',
    text: 'UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL',
    row: none,
  },
  use: {
    name: 'use_keys',
    text: `UPDATE api_keys SET last_used_at = greatest(last_used_at, used_at)
      FROM unnest($1::bigint[], $2::bigint[]) AS uses (key_id, used_at) WHERE id = key_id`,
    row: none,
  },
} as const;

/** Creators take turns, so that no two of them find the same id free. */
const create = {
  name: 'create_key',
  text: `INSERT INTO api_keys (id, hash, name, access, created_at, expires_at)
    SELECT coalesce(max(id), 0) + 1, $1, $2::text, $3, $4::bigint, $5::bigint FROM api_keys
    HAVING count(*) FILTER (WHERE name = $2 AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > $4)) = 0 RETURNING ${columns}`,
};

type ApiKeyStore = Pick<
  Store,
  'listKeys' | 'findKey' | 'createKey' | 'revokeKey' | 'recordKeyUses'
>;

export function createApiKeyStore({ query, transact }: Connections): ApiKeyStore {
  return {
    listKeys: () => query(statements.list, []),
    findKey: async (hash) => (await query(statements.find, [hash]))[0],
    async createKey({ hash, name, access, createdAt, expiresAt }) {
      const values = [hash, name, access, createdAt.getTime(), expiresAt?.getTime() ?? null];
      return await transact(
        async (send) => v.parse(v.array(row), await send({ ...create, values }))[0],
        `SELECT pg_advisory_xact_lock(${locks.keys})`,
      );
    },
    async revokeKey(id, at) {
      await query(statements.revoke, [at.getTime(), id]);
    },
    async recordKeyUses(uses) {
      const times = [...uses.values()].map((at) => at.getTime());
      await query(statements.use, [[...uses.keys()], times]);
    },
  };
}
