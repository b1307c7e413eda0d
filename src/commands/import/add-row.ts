import { RequestError } from '../../client/failure.ts';
import type { PetstoreClient } from '../../client/petstore-client.ts';
import type { NewPet } from '../../contract/pet.ts';
import type { RowOutcome } from '../../import/send-rows.ts';

/** Statuses that concern one pet, not the key, the service, or the network. */
const refusals = new Map([
  [400, undefined],
  [413, undefined],
  // The key of a row is made from its content, so this needs a service that counts otherwise.
  [422, 'was added before with other content'],
]);

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
    const { status, outcome, code, message } = error;
    // What is not a pet store refuses everything: the next rows would fare the same.
    const isOfService = code !== 'cli_unexpected_response';
    if (isOfService && outcome === 'not_applied' && refusals.has(status ?? 0)) {
      return { kind: 'refused', code, reason: refusals.get(status ?? 0) ?? message };
    }
    // With its key it would be safe to send again; without, the others may still be added.
    if (outcome === 'unknown' && error.honorsKeys === false)
      return { kind: 'unknown', reason: message };
    return { kind: 'stopped', error };
  }
}
