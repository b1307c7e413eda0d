import type { PetstoreClient } from '../../client/client.ts';
import { describeFailure, RequestError } from '../../client/request-error.ts';
import type { StagedRow, Staging } from '../staging/staging.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { createOutcomeBatch, type OutcomeBatchOptions, type SentOutcome } from './outcome-batch.ts';

export interface SendContext {
  client: Pick<PetstoreClient, 'createPet'>;
  staging: Staging;
  limit: ConcurrencyLimit;
  /** Of the import; the idempotency keys are made from it. */
  run: string;
  /** Whether the service recognizes a row it has seen by its idempotency key. */
  honorsKeys: boolean;
  /** The time now. */
  clock: () => Date;
}

export interface SendOptions {
  /** Once aborted, no further row is sent; requests in flight are finished. */
  signal: AbortSignal;
  /** Called for every row as it ends, once its outcome is durable. */
  onOutcome: OutcomeBatchOptions['onOutcome'];
}

/**
 * Sends every staged row that has no outcome, and resolves when all that was sent has ended.
 * Returns the failure that ended it early; undefined when there was none, or when the signal did.
 */
export async function sendRows(
  context: SendContext,
  { signal, onOutcome }: SendOptions,
): Promise<unknown> {
  const { staging, limit } = context;
  let failure: unknown;
  const stop = (error: unknown) => {
    failure ??= error;
  };
  const isStopped = () => signal.aborted || failure !== undefined;
  const batch = createOutcomeBatch({ staging, onOutcome, onFailure: stop });
  const send = async (row: StagedRow) => {
    try {
      const outcome = await addPet(context, row);
      if (outcome.kind === 'added') limit.speedUp();
      batch.add({ row, outcome });
    } catch (error) {
      stop(error);
    } finally {
      limit.leave();
    }
  };

  let lastSent = 0;
  try {
    for await (const row of announceRows(context, batch.flush)) {
      await limit.enter();
      if (isStopped()) {
        limit.leave();
        break;
      }
      lastSent = row.number;
      void send(row);
    }
  } catch (error) {
    stop(error);
  }
  await limit.idle();
  try {
    await batch.flush();
    if (isStopped()) staging.retract(lastSent);
  } catch (error) {
    stop(error);
  }
  return failure;
}

/** Rows to send, none before the disk knows that it may have been sent: only such rows can be there already. */
async function* announceRows(
  { staging, clock }: SendContext,
  announce: (announced: { upTo: number; at: Date }) => Promise<void>,
): AsyncGenerator<StagedRow, void, undefined> {
  for (let after = 0; ; ) {
    const rows = staging.readUnsent(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.number;
    await announce({ upTo: after, at: clock() });
    yield* rows;
  }
}

/** @throws RequestError when the response concerns more than this row, or the outcome can still be found out. */
async function addPet(
  { client, run, honorsKeys }: SendContext,
  { number, pet }: StagedRow,
): Promise<SentOutcome> {
  try {
    const created = await client.createPet(pet, { idempotencyKey: `${run}-${number}` });
    return { kind: 'added', pet: created.pet };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.failure.kind === 'response' && rowStatuses.includes(error.failure.status)) {
      const { status, code, message } = error.failure.error;
      return { kind: 'rejected', status, code, message: message.slice(0, MAX_MESSAGE_LENGTH) };
    }
    if (error.outcome !== 'unknown' || honorsKeys) throw error;
    return { kind: 'unknown', reason: describeFailure(error.failure) };
  }
}

/** Statuses that concern the row itself and not the request as such: the next row may fare better. */
const rowStatuses = [400, 413, 422];

const MAX_MESSAGE_LENGTH = 1_000;
