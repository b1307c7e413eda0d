import * as v from 'valibot';
import type { Int64 } from '../../../contract/int64.ts';
import type { KeyRecord, KeyUse, NewKeyRecord } from '../store.ts';
import { OptionalTime, Time } from './columns.ts';
import type { Connection } from './open-connection.ts';
import { transact } from './transact.ts';

const KeyRow = v.object({
  id: v.bigint(),
  name: v.string(),
  createdAt: Time,
  lastUsedAt: OptionalTime,
  expiresAt: OptionalTime,
  revokedAt: OptionalTime,
});

const selectKeys = `SELECT id, name, created_at AS createdAt, last_used_at AS lastUsedAt,
  expires_at AS expiresAt, revoked_at AS revokedAt FROM api_keys`;

/** Reads API keys over one connection. */
export function createKeyReader(database: Connection) {
  const all = database.prepare(`${selectKeys} ORDER BY id`);
  const byHash = database.prepare(`${selectKeys} WHERE hash = ?`);
  return {
    listKeys: (): KeyRecord[] => v.parse(v.array(KeyRow), all.all()),
    findKey: (hash: Uint8Array): KeyRecord | undefined =>
      v.parse(v.optional(KeyRow), byHash.get(hash)),
  };
}

/** Writes API keys over one connection. */
export function createKeyWriter(database: Connection) {
  const byId = database.prepare(`${selectKeys} WHERE id = ?`);
  const insert = database.prepare(
    'INSERT INTO api_keys (hash, name, created_at, expires_at) VALUES (?, ?, ?, ?)',
  );
  const revoke = database.prepare(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  );
  const use = database.prepare(
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );
  const findById = (id: Int64) => v.parse(v.optional(KeyRow), byId.get(id));
  return {
    createKey({ hash, name, createdAt, expiresAt }: NewKeyRecord): KeyRecord {
      return transact(database, () => {
        const times = [createdAt.getTime(), expiresAt?.getTime() ?? null];
        const { lastInsertRowid } = insert.run(hash, name, ...times);
        return v.parse(KeyRow, byId.get(lastInsertRowid));
      });
    },

    revokeKey(id: Int64, at: Date): KeyRecord | undefined {
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
