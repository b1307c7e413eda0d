import type { PetstoreClient } from '../../client/client.ts';
import { describeFailure, RequestError } from '../../client/request-error.ts';
import type { Pet } from '../../contract/pet.ts';
import type { GoodRow, Row } from '../read/row.ts';
import type { Journal } from '../staging/journal.ts';
import type { Doubt, Rejection, RowOutcome } from '../staging/journal-lines.ts';
import type { Pace } from './concurrency-limit.ts';

/** How a row ended in this run, or in an earlier one when it was not added then. */
export type SentOutcome = { kind: 'added'; pet: Pet } | Rejection | Doubt;

export interface SendContext {
  client: Pick<PetstoreClient, 'createPet'>;
  journal: Journal;
  pace: Pace;
  /** Whether the service recognises a row it has seen by its idempotency key. */
  honoursKeys: boolean;
}

export interface SendOptions {
  rows: AsyncIterable<Row>;
  /** Once aborted, no further row is sent; those under way are finished. */
  signal: AbortSignal;
  /** Called for every row in the order of the answers, once the journal has it; also for rows that ended in an earlier run otherwise than added. */
  onOutcome(row: GoodRow, outcome: SentOutcome): void | Promise<void>;
}

/** An outcome on its way to the journal and then to whoever listens. */
interface Delivery {
  row: GoodRow;
  outcome: SentOutcome;
  settled?: Promise<void>;
}

/** Rows whose outcome may wait to be synced and written out before no further ones are sent. */
const MAX_UNDELIVERED = 1024;

/**
 * Sends every row that the journal does not know as settled, and resolves when all that was sent is settled.
 * Returns the failure that ended it early; undefined when there was none, or when the signal did.
 */
export async function sendRows(
  { client, journal, pace, honoursKeys }: SendContext,
  { rows, signal, onOutcome }: SendOptions,
): Promise<unknown> {
  const { ledger, others } = journal.state;
  let failure: unknown;
  let lastSent = 0;
  const stop = (error: unknown) => {
    failure ??= error;
  };
  const deliveries = createDeliveries(onOutcome, stop);
  const send = async (row: GoodRow) => {
    const key = journal.idempotencyKey(row.number);
    try {
      const outcome = await addPet(client, row, key, honoursKeys);
      if (outcome.kind === 'added') pace.speedUp();
      deliveries.add({ row, outcome, settled: journal.settle(row.number, toRecord(outcome)) });
    } catch (error) {
      stop(error);
    } finally {
      pace.leave();
    }
  };

  try {
    for await (const row of rows) {
      if (signal.aborted || failure !== undefined) break;
      if (!('pet' in row)) continue;
      await deliveries.makeRoom();
      const earlier = others.get(row.number);
      if (earlier !== undefined) deliveries.add({ row, outcome: earlier });
      if (ledger.isSettled(row.number)) continue;
      await journal.announce(row.number);
      await pace.enter();
      if (signal.aborted || failure !== undefined) pace.leave();
      else {
        lastSent = row.number;
        void send(row);
      }
    }
  } catch (error) {
    stop(error);
  }
  await pace.idle();
  await deliveries.finish();
  if (failure !== undefined || signal.aborted) await journal.pause(lastSent).catch(stop);
  return failure;
}

/** Tells outcomes one after the other, each once the journal has it. What fails is told to `onFailure`. */
function createDeliveries(
  onOutcome: SendOptions['onOutcome'],
  onFailure: (error: unknown) => void,
) {
  const waiting: Delivery[] = [];
  let delivering: Promise<void> | undefined;
  const deliverAll = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await next.settled;
      await onOutcome(next.row, next.outcome);
    }
    delivering = undefined;
  };
  return {
    add(delivery: Delivery): void {
      delivery.settled?.catch(onFailure);
      waiting.push(delivery);
      delivering ??= deliverAll();
      delivering.catch(onFailure);
    },
    /** Resolves when few enough are waiting. */
    async makeRoom(): Promise<void> {
      if (waiting.length > MAX_UNDELIVERED) await delivering;
    },
    async finish(): Promise<void> {
      await delivering?.catch(onFailure);
    },
  };
}

/** @throws RequestError when the answer concerns more than this row, or may still be had by asking again. */
async function addPet(
  client: SendContext['client'],
  { pet }: GoodRow,
  idempotencyKey: string,
  honoursKeys: boolean,
): Promise<SentOutcome> {
  try {
    const created = await client.createPet(pet, { idempotencyKey });
    return { kind: 'added', pet: created.pet };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.failure.kind === 'response' && rowStatuses.includes(error.failure.status)) {
      const { status, code, message } = error.failure.error;
      return { kind: 'rejected', status, code, message: message.slice(0, MAX_MESSAGE_LENGTH) };
    }
    if (error.outcome !== 'unknown' || honoursKeys) throw error;
    return { kind: 'unknown', reason: describeFailure(error.failure) };
  }
}

function toRecord(outcome: SentOutcome): RowOutcome {
  return outcome.kind === 'added' ? { kind: 'added', id: outcome.pet.id } : outcome;
}

/** Answers that speak of the row itself and not of the request as such: the next row may fare better. */
const rowStatuses = [400, 413, 422];

const MAX_MESSAGE_LENGTH = 1_000;
