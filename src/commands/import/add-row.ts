import { RequestError } from '../../client/failure.ts';
import type { PetstoreClient } from '../../client/petstore-client.ts';
import type { NewPet } from '../../contract/pet.ts';
import type { RowOutcome } from '../../import/send-rows.ts';

/** Statuses that concern one pet, not the key, the service, or the network. */
const refusals: readonly number[] = [400, 413];
/** The key of this row was used for another pet, whose status was corrected since. */
const MISMATCH = 422;

/** Adds one row and says what became of it. Never rejects. */
export async function addRow(
  client: PetstoreClient,
  pet: NewPet,
  idempotencyKey: string,
): Promise<RowOutcome> {
  try {
    return { kind: 'added', ...(await client.createPet(pet, idempotencyKey)) };
  } catch (error) {
    if (!(error instanceof RequestError)) return { kind: 'stopped', error };
    const { status = 0, outcome, code, message } = error;
    // What is not a pet store refuses everything: the next rows would fare the same.
    const isOfPet = code !== 'cli_unexpected_response' && outcome === 'not_applied';
    if (isOfPet && status === MISMATCH)
      return { kind: 'refused', code, reason: 'was added before with other content', isIn: true };
    if (isOfPet && refusals.includes(status))
      return { kind: 'refused', code, reason: message, isIn: false };
    // With its key it would be safe to send again; without, the others may still be added.
    if (outcome === 'unknown' && error.honorsKeys === false)
      return { kind: 'unknown', reason: message };
    return { kind: 'stopped', error };
  }
}

/** Whether the pet may or may not have been added. */
export function isUnknown(outcome: RowOutcome | undefined): boolean {
  if (outcome?.kind !== 'stopped') return outcome?.kind === 'unknown';
  return outcome.error instanceof RequestError && outcome.error.outcome === 'unknown';
}
