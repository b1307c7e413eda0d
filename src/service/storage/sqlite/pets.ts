import * as v from 'valibot';
import { IDEMPOTENCY_LIFETIME_MS } from '../../../contract/headers.ts';
import { INT64_MAX, type Int64 } from '../../../contract/int64.ts';
import type { Order } from '../../../contract/operations.ts';
import { PetStatus } from '../../../contract/pet.ts';
import {
  type Addition,
  type AddOutcome,
  type AuditQuery,
  type AuditRecord,
  type PageQuery,
  type Store,
  sampleAddition,
} from '../store.ts';
import { type Connection, Time, transact } from './connection.ts';

const Text = v.optional(v.tuple([v.string()]));
const Page = v.tuple([v.nullable(v.string()), v.nullable(v.bigint())]);

export function createPetReader(connection: Connection): Pick<Store, 'listPets' | 'findPet'> {
  const onePet = prepare(connection, 'SELECT json FROM pets WHERE id = ?');
  const readers = new Map<string, (after: Int64, limit: number) => ReturnType<typeof readPage>>();

  function findReader({ order, status }: PageQuery) {
    const name = `${order} ${status}`;
    const reader = readers.get(name) ?? createPageReader(connection, order, status);
    readers.set(name, reader);
    return reader;
  }

  return {
    listPets(query) {
      const start = query.order === 'asc' ? 0n : INT64_MAX;
      return findReader(query)(query.after ?? start, query.limit);
    },
    findPet: (id) => v.parse(Text, onePet.get(id))?.[0],
  };
}

/** One row of finished text instead of a row per pet, for speed, see bench/README.md. */
function createPageReader(connection: Connection, order: Order, status: PetStatus | undefined) {
  const rule = `${status === undefined ? '' : `status = '${status}' AND`} id ${order === 'asc' ? '>' : '<'} ?`;
  const last = order === 'asc' ? 'max(id)' : 'min(id)';
  const page = prepare(
    connection,
    `SELECT group_concat(json, ','), ${last}
     FROM (SELECT id, json FROM pets WHERE ${rule} ORDER BY id ${order} LIMIT ?)`,
  );
  const further = prepare(connection, `SELECT 1 FROM pets WHERE ${rule} LIMIT 1`);
  return (after: Int64, limit: number) => readPage(page.get(after, limit), further);
}

function readPage(row: unknown, further: ReturnType<typeof prepare>) {
  const [json, last] = v.parse(Page, row);
  if (last === null) return { json: '[]', next: undefined };
  return { json: `[${json}]`, next: further.get(last) === undefined ? undefined : last };
}

/** Rows as arrays, for speed: the driver would make the names of an object anew for each. */
function prepare(connection: Connection, sql: string) {
  const statement = connection.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

/** Old idempotency keys deleted with a batch: more than it brings, few enough to delay nobody. */
const SWEEP_LIMIT = 256;

const Earlier = v.optional(
  v.object({
    id: v.bigint(),
    name: v.string(),
    categoryId: v.bigint(),
    status: PetStatus,
    at: Time,
  }),
);

export function createPetWriter(connection: Connection) {
  const insertPet = connection.prepare(
    'INSERT INTO pets (name, category_id, status, added_by, added_at) VALUES (?, ?, ?, ?, ?)',
  );
  // Replaces a key that is too old to count and not swept yet.
  const insertKey = connection.prepare(
    'INSERT OR REPLACE INTO idempotency_keys (key, pet_id, created_at) VALUES (?, ?, ?)',
  );
  const selectEarlier = connection.prepare(
    `SELECT pets.id, name, category_id AS categoryId, status, created_at AS at
     FROM idempotency_keys JOIN pets ON pets.id = pet_id WHERE key = ? AND created_at > ?`,
  );
  const sweep = connection.prepare(
    `DELETE FROM idempotency_keys WHERE key IN
     (SELECT key FROM idempotency_keys WHERE created_at <= ? LIMIT ${SWEEP_LIMIT})`,
  );

  function replay({ pet, idempotencyKey }: Addition, now: number): AddOutcome | undefined {
    if (idempotencyKey === undefined) return undefined;
    const row = selectEarlier.get(idempotencyKey, now - IDEMPOTENCY_LIFETIME_MS);
    const earlier = v.parse(Earlier, row);
    if (earlier === undefined) return undefined;
    const isSame =
      earlier.name === pet.name &&
      earlier.categoryId === pet.categoryId &&
      earlier.status === pet.status;
    return isSame ? { kind: 'replayed', id: earlier.id, at: earlier.at } : { kind: 'mismatch' };
  }

  function insert({ pet, idempotencyKey, keyId }: Addition, at: Date): AddOutcome {
    const now = at.getTime();
    const { lastInsertRowid } = insertPet.run(pet.name, pet.categoryId, pet.status, keyId, now);
    const id = BigInt(lastInsertRowid);
    if (idempotencyKey !== undefined) insertKey.run(idempotencyKey, id, now);
    return { kind: 'added', id, at };
  }

  const noteCheck = connection.prepare('INSERT OR REPLACE INTO write_checks VALUES (1, ?)');

  return {
    checkWritable(): void {
      const at = new Date();
      transact(connection, () => {
        connection.exec('SAVEPOINT before_add');
        insert(sampleAddition, at);
        connection.exec('ROLLBACK TO before_add');
        noteCheck.run(at.getTime());
      });
    },
    addPets(additions: readonly Addition[], at: Date): AddOutcome[] {
      const now = at.getTime();
      return transact(connection, () => {
        sweep.run(now - IDEMPOTENCY_LIFETIME_MS);
        return additions.map((addition) => replay(addition, now) ?? insert(addition, at));
      });
    },
  };
}

const AuditRows = v.array(
  v.object({
    id: v.bigint(),
    name: v.string(),
    categoryId: v.bigint(),
    status: PetStatus,
    keyId: v.bigint(),
    keyName: v.string(),
    addedAt: Time,
  }),
);

/** Reads over one connection who added which pet. An absent condition is null, and holds. */
export function createAuditReader(connection: Connection) {
  const select = connection.prepare(
    `SELECT pets.id, pets.name, category_id AS categoryId, status, added_by AS keyId,
       api_keys.name AS keyName, added_at AS addedAt
     FROM pets CROSS JOIN api_keys ON api_keys.id = added_by
     WHERE (:petId IS NULL OR pets.id = :petId) AND (:keyName IS NULL OR api_keys.name = :keyName)
       AND (:since IS NULL OR added_at >= :since)
     ORDER BY pets.id DESC LIMIT :limit`,
  );
  return ({ limit, petId, keyName, since }: AuditQuery): AuditRecord[] => {
    const values = { limit, petId: petId ?? null, keyName: keyName ?? null };
    return v.parse(AuditRows, select.all({ ...values, since: since?.getTime() ?? null }));
  };
}
