import * as v from 'valibot';
import { IDEMPOTENCY_LIFETIME_MS } from '../../../contract/headers.ts';
import { PetStatus } from '../../../contract/pet.ts';
import type { Addition, AddOutcome } from '../store.ts';
import { Time } from './columns.ts';
import { type Connection, transact } from './connection.ts';

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

/** Adds pets over one connection, with the idempotency keys of the last seven days. */
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

  return {
    addPets(additions: readonly Addition[], at: Date): AddOutcome[] {
      const now = at.getTime();
      return transact(connection, () => {
        sweep.run(now - IDEMPOTENCY_LIFETIME_MS);
        return additions.map((addition) => replay(addition, now) ?? insert(addition, at));
      });
    },
  };
}
