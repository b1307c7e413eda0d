import { ServiceError, unavailable } from '../service-error.ts';
import type { Addition, AddOutcome, Store } from './store.ts';

/** Additions per transaction, at most; for speed, see bench/README.md. */
const BATCH_SIZE = 128;

export interface AddQueue {
  /**
   * Adds a pet together with all others that arrive while the batch before is written: they share one sync. Resolves when
   * the pet is durable. @throws ServiceError when too many wait, or the first with the same idempotency key is still
   * running; and what the store throws
   */
  add(addition: Addition): Promise<AddOutcome>;
}

interface Waiting {
  readonly addition: Addition;
  resolve(outcome: AddOutcome): void;
  reject(error: unknown): void;
}

export interface AddQueueOptions {
  readonly clock: () => Date;
  /** Additions that wait for a batch, at most. */
  readonly limit: number;
}

type WriteBatch = (additions: readonly Addition[]) => Promise<AddOutcome[]>;

export function createAddQueue(
  store: Pick<Store, 'addPets'>,
  { clock, limit }: AddQueueOptions,
): AddQueue {
  const enqueue = createBatchQueue((additions) => store.addPets(additions, clock()), limit);
  /** So that no two additions of a batch share a key. */
  const runningKeys = new Set<string>();

  return {
    async add(addition) {
      const { idempotencyKey } = addition;
      if (idempotencyKey === undefined) return await enqueue(addition);
      if (runningKeys.has(idempotencyKey)) {
        throw new ServiceError(
          'idempotency_conflict',
          'the first request with this Idempotency-Key is still running: try again',
          { 'Retry-After': '1' },
        );
      }
      runningKeys.add(idempotencyKey);
      try {
        return await enqueue(addition);
      } finally {
        runningKeys.delete(idempotencyKey);
      }
    },
  };
}

function createBatchQueue(write: WriteBatch, limit: number) {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) await writeBatch(waiting.splice(0, BATCH_SIZE), write);
    isWriting = false;
  }

  return (addition: Addition): Promise<AddOutcome> =>
    new Promise((resolve, reject) => {
      if (waiting.length >= limit) {
        reject(unavailable('too many pets are waiting to be added: try again'));
        return;
      }
      waiting.push({ addition, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      // Behind the requests that arrived with this one, so that they share the first batch.
      setImmediate(writeAll);
    });
}

async function writeBatch(batch: readonly Waiting[], write: WriteBatch): Promise<void> {
  try {
    const outcomes = await write(batch.map(({ addition }) => addition));
    for (const [index, { resolve }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new Error('the store returned no outcome for an addition');
      resolve(outcome);
    }
  } catch (error) {
    // It changes nothing for those that are resolved.
    for (const { reject } of batch) reject(error);
  }
}
