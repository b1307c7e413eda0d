import type { PetstoreClient } from '../../client/client.ts';
import { describeFailure, RequestError } from '../../client/request-error.ts';
import { findResendWindow, isAboutThisPet } from '../../client/requests/resend-rules.ts';
import type { GoodRow } from '../read/row.ts';
import type { Announcement } from '../staging/announcements.ts';
import type { RowOutcome, Staging } from '../staging/staging.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { createOutcomeBatch, type OutcomeBatchOptions } from './outcome-batch.ts';

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

export interface SendOptions extends Pick<OutcomeBatchOptions, 'onOutcome'> {
  /** Once aborted, no further row is sent; requests in flight are finished. */
  signal: AbortSignal;
}

export interface RunResult {
  /** What ended it early; undefined when nothing did, or the signal. */
  failure: unknown;
  /** How many rows ended and their outcome could not be stored. */
  unstored: number;
}

/** Rows that are sent without the protection of their keys are announced for so long ago that no key is remembered. */
const startOfTime = new Date(0);
const endOfTime = new Date(8.64e15);

const tooLate = 'sent earlier, response lost; the service no longer recognizes its idempotency key';
const neverKnown =
  'sent earlier, response lost; the service does not recognize its idempotency key';

/** Sends the rows without an outcome, but gives up those that may have been added and cannot safely be sent again. */
export async function runImport(context: SendContext, options: SendOptions): Promise<RunResult> {
  const { staging } = context;
  try {
    giveUpLost(context);
    // Rows that ended otherwise than added are reported by every run.
    for (const other of staging.readOthers()) await options.onOutcome(other);
  } catch (failure) {
    return { failure, unstored: 0 };
  }
  return await sendRows(context, options);
}

/** Only a key that the service surely remembers lets a row be sent again. */
function giveUpLost({ staging, honorsKeys, clock }: SendContext): void {
  const { from, until } = findResendWindow(clock());
  if (!honorsKeys) staging.giveUp(endOfTime, neverKnown);
  else staging.giveUp(from, tooLate, until);
}

/** Sends and resolves when all that was sent has ended. */
async function sendRows(
  context: SendContext,
  { signal, onOutcome }: SendOptions,
): Promise<RunResult> {
  const { staging, limit } = context;
  let failure: unknown;
  const onFailure = (error: unknown) => {
    failure ??= error;
  };
  const isStopped = () => signal.aborted || failure !== undefined;
  const batch = createOutcomeBatch({ staging, onOutcome, onFailure });
  const send = async (row: GoodRow): Promise<void> => {
    try {
      batch.add({ row, outcome: await addPet(context, row) });
    } catch (error) {
      onFailure(error);
    } finally {
      limit.leave();
    }
  };

  let lastSent = 0;
  const sendAll = async (): Promise<void> => {
    for await (const rows of announceRows(context, batch.flush)) {
      for (const row of rows) {
        // A slow reader of the reports slows the sending.
        await batch.reported();
        await limit.enter();
        if (isStopped()) return limit.leave();
        lastSent = row.number;
        void send(row);
      }
    }
  };
  await sendAll().catch(onFailure);
  await limit.idle();
  await batch.flush().catch(onFailure);
  try {
    if (isStopped()) staging.retract(lastSent);
  } catch (error) {
    onFailure(error);
  }
  return { failure, unstored: batch.countUnstored() };
}

/** Rows to send, some at a time, none before the disk knows that it may have been sent: only such rows can be there already. */
async function* announceRows(
  { staging, honorsKeys, clock }: SendContext,
  announce: (announcement: Announcement) => Promise<void>,
): AsyncGenerator<readonly GoodRow[], void, undefined> {
  for (let after = 0; ; ) {
    const rows = staging.readUnsent(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.number;
    await announce({ upTo: after, at: honorsKeys ? clock() : startOfTime });
    yield rows;
  }
}

/** @throws RequestError when the response concerns more than this row, or the outcome can still be found out. */
async function addPet(
  { client, limit, run, honorsKeys }: SendContext,
  { number, pet }: GoodRow,
): Promise<RowOutcome> {
  try {
    const created = await client.createPet(pet, { idempotencyKey: `${run}-${number}` });
    limit.speedUp();
    return { kind: 'added', pet: created.pet };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (isAboutThisPet(error.failure)) {
      const { status, code, message } = error.failure.error;
      // Refusing a row is work done: a file of bad rows is not sent one by one.
      limit.speedUp();
      return { kind: 'rejected', status, code, message: message.slice(0, MAX_MESSAGE_LENGTH) };
    }
    if (error.outcome !== 'unknown' || honorsKeys) throw error;
    return { kind: 'unknown', reason: describeFailure(error.failure) };
  }
}

const MAX_MESSAGE_LENGTH = 1_000;
