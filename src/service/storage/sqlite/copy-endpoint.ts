import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { PetStatus } from '../../../contract/pet.ts';
import type { CopyEndpoint, CopyRole } from '../copy/copy-endpoint.ts';
import { StoreOpenError } from '../store.ts';
import { OptionalTime, Time } from './columns.ts';
import { holdLock } from './hold-lock.ts';
import type { Connection } from './open-connection.ts';
import { openMigrated } from './open-migrated.ts';
import { toOpenError, toStoreError } from './store-error.ts';
import { transact } from './transact.ts';

const Pets = v.array(
  v.object({ id: v.bigint(), name: v.string(), categoryId: v.bigint(), status: PetStatus }),
);
const IdempotencyKeys = v.array(v.object({ key: v.string(), petId: v.bigint(), createdAt: Time }));
const ApiKeys = v.array(
  v.object({
    id: v.bigint(),
    hash: v.instance(Uint8Array),
    name: v.string(),
    createdAt: Time,
    lastUsedAt: OptionalTime,
    expiresAt: OptionalTime,
    revokedAt: OptionalTime,
  }),
);
const Count = v.pipe(v.bigint(), v.transform(Number));
const Counts = v.object({ pets: Count, idempotencyKeys: Count, apiKeys: Count });
const LastId = v.object({ id: v.bigint() });

/** Opens a SQLite database for a copy, and keeps every service off it meanwhile. @throws StoreOpenError */
export async function openSqliteCopyEndpoint(path: string, role: CopyRole): Promise<CopyEndpoint> {
  if (role === 'source' && !existsSync(path)) {
    throw new StoreOpenError(`there is no database at ${path}`);
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const lock = holdLock(path);
    try {
      const database = openMigrated(path);
      return buildCopyEndpoint(database, () => {
        database.close();
        lock.release();
      });
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw toOpenError(path, error);
  }
}

function buildCopyEndpoint(database: Connection, close: () => void): CopyEndpoint {
  const statements = prepare(database);
  const last = () => v.parse(LastId, statements.lastPet.get()).id;
  return {
    countRows: () => settle(() => v.parse(Counts, statements.counts.get())),
    lastPetId: () => settle(last),
    readPets: (after, limit) => settle(() => v.parse(Pets, statements.pets.all(after, limit))),
    readIdempotencyKeys: (after, limit) =>
      settle(() => v.parse(IdempotencyKeys, statements.idempotencyKeys.all(after, limit))),
    readApiKeys: (after, limit) =>
      settle(() => v.parse(ApiKeys, statements.apiKeys.all(after, limit))),
    appendPets: (pets, expected) =>
      settle(() =>
        transact(database, () => {
          if (last() !== expected) return false;
          for (const { id, name, categoryId, status } of pets) {
            statements.insertPet.run(id, name, categoryId, status);
          }
          return true;
        }),
      ),
    clearIdempotencyKeys: () =>
      settle(() => transact(database, () => void statements.clearIdempotencyKeys.run())),
    putIdempotencyKeys: (keys) =>
      settle(() =>
        transact(database, () => {
          for (const { key, petId, createdAt } of keys) {
            statements.putIdempotencyKey.run(key, petId, createdAt.getTime());
          }
        }),
      ),
    putApiKeys: (keys) =>
      settle(() =>
        transact(database, () => {
          for (const key of keys) {
            statements.putApiKey.run(
              ...[key.id, key.hash, key.name, key.createdAt.getTime()],
              ...[key.lastUsedAt, key.expiresAt, key.revokedAt].map((at) => at?.getTime() ?? null),
            );
          }
        }),
      ),
    close: async () => close(),
  };
}

function prepare(database: Connection) {
  return {
    counts: database.prepare(
      `SELECT (SELECT count(*) FROM pets) AS pets, (SELECT count(*) FROM idempotency_keys) AS idempotencyKeys,
         (SELECT count(*) FROM api_keys) AS apiKeys`,
    ),
    lastPet: database.prepare('SELECT coalesce(max(id), 0) AS id FROM pets'),
    pets: database.prepare(
      `SELECT id, name, category_id AS categoryId, status FROM pets WHERE id > ? ORDER BY id LIMIT ?`,
    ),
    idempotencyKeys: database.prepare(
      `SELECT key, pet_id AS petId, created_at AS createdAt FROM idempotency_keys
       WHERE key > ? ORDER BY key LIMIT ?`,
    ),
    apiKeys: database.prepare(
      `SELECT id, hash, name, created_at AS createdAt, last_used_at AS lastUsedAt,
         expires_at AS expiresAt, revoked_at AS revokedAt
       FROM api_keys WHERE id > ? ORDER BY id LIMIT ?`,
    ),
    insertPet: database.prepare(
      'INSERT INTO pets (id, name, category_id, status) VALUES (?, ?, ?, ?)',
    ),
    clearIdempotencyKeys: database.prepare('DELETE FROM idempotency_keys'),
    putIdempotencyKey: database.prepare(
      'INSERT INTO idempotency_keys (key, pet_id, created_at) VALUES (?, ?, ?)',
    ),
    putApiKey: database.prepare(
      `INSERT OR REPLACE INTO api_keys (id, hash, name, created_at, last_used_at, expires_at, revoked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
  };
}

async function settle<Result>(work: () => Result): Promise<Result> {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error);
  }
}
