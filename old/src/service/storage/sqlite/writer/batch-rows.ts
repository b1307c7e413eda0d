import { type EarlierPet, toAddOutcome } from '../../add-outcome.ts';
import type { Addition, AddOutcome } from '../../store.ts';

/** An addition as it gets to the writer's thread: without names of members, which would be copied with each; for speed, see bench/README.md. */
export type AdditionRow = ReturnType<typeof toAdditionRow>;

/**
 * What became of a batch, on its way back: an id for each of its additions, and those pets that were there before, by
 * position. The other thread has the rest.
 */
export interface StoredBatch {
  readonly ids: BigInt64Array;
  readonly earlier: ReadonlyMap<number, EarlierPet>;
}

export function toAdditionRow({ pet, idempotencyKey, keyId }: Addition) {
  return [pet.name, pet.categoryId, pet.status, idempotencyKey, keyId] as const;
}

export function toAddition([
  name,
  categoryId,
  status,
  idempotencyKey,
  keyId,
]: AdditionRow): Addition {
  return { pet: { name, categoryId, status }, idempotencyKey, keyId };
}

export function toOutcomes(
  additions: readonly Addition[],
  { ids, earlier }: StoredBatch,
): AddOutcome[] {
  return additions.map(({ pet }, index) => {
    const id = ids[index];
    if (id === undefined) throw new Error('the writer returned no id for an addition');
    return toAddOutcome(id, pet, earlier.get(index));
  });
}
