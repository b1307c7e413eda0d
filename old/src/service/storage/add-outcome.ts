import type { Int64 } from '../../contract/int64.ts';
import { encodePet, type NewPet, type Pet } from '../../contract/pet.ts';
import type { AddOutcome } from './store.ts';

/** What the database may tell of the pet that was added under an idempotency key before. */
export type EarlierPet = { readonly [Name in 'name' | 'categoryId' | 'status']: Pet[Name] | null };

/** The outcome of an addition: stored with this id, or judged by the pet that its idempotency key added before. */
export function toAddOutcome(
  id: Int64,
  pet: Required<NewPet>,
  earlier: EarlierPet | undefined,
): AddOutcome {
  const stored = { id, json: encodePet({ id, ...pet }) };
  if (earlier === undefined) return { kind: 'added', pet: stored };
  // A pet never changes, so the stored one still says which body came first.
  const isSame =
    earlier.name === pet.name &&
    earlier.categoryId === pet.categoryId &&
    earlier.status === pet.status;
  return isSame ? { kind: 'replayed', pet: stored } : { kind: 'mismatch' };
}
