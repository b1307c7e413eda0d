import * as v from 'valibot';
import { KeyAccess } from '../../../contract/headers.ts';
import type { Int64 } from '../../../contract/int64.ts';
import type { ApiKeyRecord, NewApiKey } from '../store.ts';
import { type Connection, OptionalTime, Time, transact } from './connection.ts';

const ApiKeyRow = v.object({
  id: v.bigint(),
  name: v.string(),
  access: KeyAccess,
  createdAt: Time,
  lastUsedAt: OptionalTime,
  expiresAt: OptionalTime,
  revokedAt: OptionalTime,
});
const select = `SELECT id, name, access, created_at AS createdAt, last_used_at AS lastUsedAt,
  expires_at AS expiresAt, revoked_at AS revokedAt FROM api_keys`;

export function createApiKeyReader(connection: Connection) {
  const all = connection.prepare(`${select} ORDER BY id`);
  const byHash = connection.prepare(`${select} WHERE hash = ?`);
  return {
    listKeys: (): ApiKeyRecord[] => v.parse(v.array(ApiKeyRow), all.all()),
    findKey: (hash: Buffer): ApiKeyRecord | undefined =>
      v.parse(v.optional(ApiKeyRow), byHash.get(hash)),
  };
}

export function createApiKeyWriter(connection: Connection) {
  const byId = connection.prepare(`${select} WHERE id = ?`);
  const insert = connection.prepare(
    `INSERT INTO api_keys (hash, name, access, created_at, expires_at)
     SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (SELECT 1 FROM api_keys
       WHERE name = ?2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?4))`,
  );
  const revoke = connection.prepare(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  );
  const use = connection.prepare(
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );
  return {
    createKey(key: NewApiKey): ApiKeyRecord | undefined {
      const { hash, name, access, createdAt, expiresAt } = key;
      return transact(connection, () => {
        const times = [createdAt.getTime(), expiresAt?.getTime() ?? null];
        const { changes, lastInsertRowid } = insert.run(hash, name, access, ...times);
        return Number(changes) === 0 ? undefined : v.parse(ApiKeyRow, byId.get(lastInsertRowid));
      });
    },
    revokeKey: (id: Int64, at: Date): void =>
      void transact(connection, () => revoke.run(at.getTime(), id)),
    recordKeyUses(uses: ReadonlyMap<Int64, Date>): void {
      transact(connection, () => {
        for (const [id, at] of uses) use.run(at.getTime(), id);
      });
    },
  };
}
