import type { Int64 } from '../../../../contract/int64.ts';
import type { Addition, AddOutcome } from '../../store.ts';

/** An addition as it gets to the writer's thread: without names of members, which would be copied with each; for speed, see bench/README.md. */
export type AdditionRow = ReturnType<typeof toAdditionRow>;

/** An outcome on its way back. */
export type OutcomeRow =
  | readonly [kind: 'added' | 'replayed', id: Int64, json: string]
  | readonly [kind: 'mismatch'];

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

export function toOutcomeRow(outcome: AddOutcome): OutcomeRow {
  return outcome.kind === 'mismatch'
    ? [outcome.kind]
    : [outcome.kind, outcome.pet.id, outcome.pet.json];
}

export function toOutcome(row: OutcomeRow): AddOutcome {
  if (row[0] === 'mismatch') return { kind: row[0] };
  const [kind, id, json] = row;
  return { kind, pet: { id, json } };
}
