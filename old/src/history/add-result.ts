import type { CreatedPet } from '../client/client.ts';
import { describeFailure, type RequestError } from '../client/request-error.ts';
import type { AddResult } from './entry.ts';

const MAX_REASON_LENGTH = 1_000;

/** How an add ended that failed. */
export function describeAddFailure(error: RequestError): AddResult {
  return {
    outcome: error.outcome,
    petId: null,
    reason: describeFailure(error.failure).slice(0, MAX_REASON_LENGTH),
    isKeyHonored: error.honorsIdempotency !== false,
  };
}

/** How an add ended that succeeded. */
export function describeAdded({ pet }: CreatedPet): AddResult {
  return { outcome: 'applied', petId: pet.id, reason: null, isKeyHonored: true };
}
