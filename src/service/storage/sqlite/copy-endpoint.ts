import { existsSync } from 'node:fs';
import * as v from 'valibot';
import type { CopyEndpoint, CopyRole } from '../copy/copy-endpoint.ts';
import { StoreOpenError } from '../store.ts';
import { ApiKeyRow, apiKeyColumns, PetRow, petColumns, Time } from './columns.ts';
import type { Connection } from './connection/open-connection.ts';
import { type ExclusiveDatabase, openExclusiveDatabase } from './connection/open-database.ts';
import { explainOpening, settle } from './connection/store-error.ts';
import { transact } from './connection/transact.ts';

const Pets = v.array(PetRow);
const IdempotencyKeys = v.array(v.object({ key: v.string(), petId: v.bigint(), createdAt: Time }));
const ApiKeys = v.array(v.object({ ...ApiKeyRow.entries, hash: v.instance(Uint8Array) }));
const Count = v.pipe(v.bigint(), v.transform(Number));
const Counts = v.object({ pets: Count, idempotencyKeys: Count, apiKeys: Count });
const LastId = v.object({ id: v.bigint() });

/** Opens a SQLite database for a copy, and keeps every service off it meanwhile. @throws StoreOpenError */
export async function openSqliteCopyEndpoint(path: string, role: CopyRole): Promise<CopyEndpoint> {
  if (role === 'source' && !existsSync(path)) {
    throw new StoreOpenError(`there is no database at ${path}`);
  }
  return await explainOpening(path, async () => buildCopyEndpoint(openExclusiveDatabase(path)));
}

function buildCopyEndpoint({ database, close }: ExclusiveDatabase): CopyEndpoint {
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
    pets: database.prepare(`SELECT ${petColumns} FROM pets WHERE id > ? ORDER BY id LIMIT ?`),
    idempotencyKeys: database.prepare(
      `SELECT key, pet_id AS petId, created_at AS createdAt FROM idempotency_keys
       WHERE key > ? ORDER BY key LIMIT ?`,
    ),
    apiKeys: database.prepare(
      `SELECT ${apiKeyColumns}, hash FROM api_keys WHERE id > ? ORDER BY id LIMIT ?`,
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
