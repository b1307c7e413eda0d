import type { PetstoreClient } from '../client/client.ts';
import { RequestError } from '../client/request-error.ts';
import { findResendWindow, isAboutThisPet } from '../client/requests/resend-rules.ts';
import type { Pet } from '../contract/pet.ts';
import { describeAdded, describeAddFailure } from './add-result.ts';
import type { AddEntry, AddResult } from './entry.ts';

/** What became of an add of unknown outcome that was sent again. */
export interface SettledAdd {
  result: AddResult;
  /** As the service has it. */
  pet?: Pet;
  /** Whether it had been added before it was sent again. */
  isReplay?: boolean;
  /** What says nothing about this pet, and would end the next one likewise. */
  failure?: unknown;
}

/**
 * Why an add must not be sent again; undefined when the service surely recognizes it by its idempotency key.
 * @param firstUse when its key was first sent.
 */
export function findObstacle(
  { isKeyHonored }: AddEntry,
  firstUse: Date,
  now: Date,
): string | undefined {
  const { from, until } = findResendWindow(now);
  if (!isKeyHonored) return 'the service did not honor its idempotency key';
  if (firstUse < from) return 'the service no longer recognizes its idempotency key';
  return firstUse > until ? 'it was recorded at a time that is still to come' : undefined;
}

/** Sends an add again under its own idempotency key, to a service that honors it: the pet is there once in any case. */
export async function settleAdd(
  client: Pick<PetstoreClient, 'createPet'>,
  { pet, key }: AddEntry,
): Promise<SettledAdd> {
  try {
    const created = await client.createPet(pet, { idempotencyKey: key });
    return { ...created, result: describeAdded(created) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const result = describeAddFailure(error);
    if (isAboutThisPet(error.failure)) return { result };
    // What became of it when it was sent first is as unknown as before.
    return { result: { ...result, outcome: 'unknown' }, failure: error };
  }
}
