import type { CreatedPet, PetstoreClient } from '../../client/client.ts';
import { RequestError } from '../../client/request-error.ts';
import type { NewPet } from '../../contract/pet.ts';
import { describeAdded, describeAddFailure } from '../../history/add-result.ts';
import type { AddResult } from '../../history/entry.ts';

import type { Context } from '../../program/context/context.ts';
import type { WriteHistory } from '../shared/write-history.ts';

/** Sends an add that the history knows of before, and of its outcome afterwards. @throws RequestError */
export async function sendRecorded(
  { clock }: Pick<Context, 'clock'>,
  history: WriteHistory,
  client: Pick<PetstoreClient, 'createPet'>,
  pet: NewPet,
  idempotencyKey: string,
): Promise<CreatedPet> {
  const id = await history.use(({ recordAdd }, target) =>
    recordAdd(pet, idempotencyKey, target, clock()),
  );
  const complete = async (result: AddResult) => {
    if (id !== undefined) await history.use((opened) => opened.complete(id, result));
  };
  try {
    const created = await client.createPet(pet, { idempotencyKey });
    await complete(describeAdded(created));
    return created;
  } catch (error) {
    if (error instanceof RequestError) await complete(describeAddFailure(error));
    throw error;
  }
}
