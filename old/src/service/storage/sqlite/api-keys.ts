import * as v from 'valibot';
import type { Int64 } from '../../../contract/int64.ts';
import { KeyAccess } from '../../../contract/key-info.ts';
import { transact } from '../../../files/transact.ts';
import type { ApiKeyRecord, KeyRotation, KeyUse, NewApiKey } from '../store.ts';
import { OptionalTime, Time } from './columns.ts';
import type { Connection } from './connection/open-connection.ts';

const ApiKeyRow = v.object({
  id: v.bigint(),
  name: v.string(),
  access: KeyAccess,
  createdAt: Time,
  lastUsedAt: OptionalTime,
  expiresAt: OptionalTime,
  revokedAt: OptionalTime,
});
const selectKeys = `SELECT id, name, access, created_at AS createdAt, last_used_at AS lastUsedAt,
  expires_at AS expiresAt, revoked_at AS revokedAt FROM api_keys`;

/** Reads API keys over one connection. */
export function createApiKeyReader(database: Connection) {
  const all = database.prepare(`${selectKeys} ORDER BY id`);
  const byHash = database.prepare(`${selectKeys} WHERE hash = ?`);
  return {
    listKeys: (): ApiKeyRecord[] => v.parse(v.array(ApiKeyRow), all.all()),
    findKey: (hash: Uint8Array): ApiKeyRecord | undefined =>
      v.parse(v.optional(ApiKeyRow), byHash.get(hash)),
  };
}

/** Writes API keys over one connection. */
export function createApiKeyWriter(database: Connection) {
  const byId = database.prepare(`${selectKeys} WHERE id = ?`);
  const insert = database.prepare(
    'INSERT INTO api_keys (hash, name, access, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const revoke = database.prepare(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  );
  const use = database.prepare(
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );
  const end = database.prepare(
    `UPDATE api_keys SET expires_at = min(coalesce(expires_at, :endsAt), :endsAt)
     WHERE id = :id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)`,
  );
  const findById = (id: Int64) => v.parse(v.optional(ApiKeyRow), byId.get(id));
  function create({ hash, name, access = 'write', createdAt, expiresAt }: NewApiKey): ApiKeyRecord {
    const times = [createdAt.getTime(), expiresAt?.getTime() ?? null];
    const { lastInsertRowid } = insert.run(hash, name, access, ...times);
    return v.parse(ApiKeyRow, byId.get(lastInsertRowid));
  }
  return {
    createKey: (key: NewApiKey): ApiKeyRecord => transact(database, () => create(key)),

    rotateKey({ id, endsAt, successor }: KeyRotation): ApiKeyRecord | undefined {
      return transact(database, () => {
        const now = successor.createdAt.getTime();
        const { changes } = end.run({ id, endsAt: endsAt.getTime(), now });
        return BigInt(changes) === 0n ? undefined : create(successor);
      });
    },

    revokeKey(id: Int64, at: Date): ApiKeyRecord | undefined {
      return transact(database, () => {
        revoke.run(at.getTime(), id);
        return findById(id);
      });
    },

    recordKeyUses(uses: readonly KeyUse[]): void {
      transact(database, () => {
        for (const { id, at } of uses) use.run(at.getTime(), id);
      });
    },
  };
}
