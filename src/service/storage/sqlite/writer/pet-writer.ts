import * as v from 'valibot';
import { IDEMPOTENCY_DAYS } from '../../../../contract/headers.ts';
import { encodePet, type NewPet, Pet } from '../../../../contract/pet.ts';
import type { Addition, AddOutcome } from '../../store.ts';
import type { Connection } from '../open-connection.ts';
import { transact } from '../transact.ts';

const KEY_LIFETIME_MS = IDEMPOTENCY_DAYS * 24 * 60 * 60 * 1000;

/** Old keys forgotten with each batch: more than a batch brings, few enough to delay nobody. */
const SWEEP_LIMIT = 2_000;

const EarlierRow = v.pipe(
  v.object({
    id: v.bigint(),
    name: v.string(),
    category_id: v.bigint(),
    status: Pet.entries.status.wrapped,
  }),
  v.transform(({ category_id, ...rest }) => ({ ...rest, categoryId: category_id })),
);

/** Adds pets over one connection; statements are prepared once. */
export function createPetWriter(database: Connection) {
  const insertPet = database.prepare(
    'INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)',
  );
  // Replaces a key that is too old to count and not swept yet.
  const insertKey = database.prepare(
    'INSERT OR REPLACE INTO idempotency_keys (key, pet_id, created_at) VALUES (?, ?, ?)',
  );
  const findEarlier = database.prepare(
    `SELECT pets.id, name, category_id, status
     FROM idempotency_keys JOIN pets ON pets.id = pet_id WHERE key = ? AND created_at > ?`,
  );
  const sweep = database.prepare(
    `DELETE FROM idempotency_keys WHERE key IN
     (SELECT key FROM idempotency_keys WHERE created_at <= ? LIMIT ${SWEEP_LIMIT})`,
  );

  function add({ pet, idempotencyKey }: Addition, now: number): AddOutcome {
    if (idempotencyKey !== undefined) {
      const earlier = v.parse(
        v.optional(EarlierRow),
        findEarlier.get(idempotencyKey, now - KEY_LIFETIME_MS),
      );
      if (earlier !== undefined) return replay(earlier, pet);
    }
    const id = BigInt(insertPet.run(pet.name, pet.categoryId, pet.status).lastInsertRowid);
    if (idempotencyKey !== undefined) insertKey.run(idempotencyKey, id, now);
    return { kind: 'added', pet: { id, json: encodePet({ id, ...pet }) } };
  }

  return {
    addPets(additions: readonly Addition[], now: Date): AddOutcome[] {
      return transact(database, () => {
        sweep.run(now.getTime() - KEY_LIFETIME_MS);
        return additions.map((addition) => add(addition, now.getTime()));
      });
    },
  };
}

/** A pet never changes, so the stored one still says which body came first. */
function replay(earlier: Pet, pet: NewPet): AddOutcome {
  const isSame =
    earlier.name === pet.name &&
    earlier.categoryId === pet.categoryId &&
    earlier.status === pet.status;
  return isSame
    ? { kind: 'replayed', pet: { id: earlier.id, json: encodePet(earlier) } }
    : { kind: 'mismatch' };
}
