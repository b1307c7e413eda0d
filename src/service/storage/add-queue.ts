import { type Addition, type AddOutcome, type Store, StoreError } from './store.ts';

/** Additions per transaction, at most; for speed, see bench/README.md. */
const BATCH_SIZE = 128;

/** Additions that wait for a batch, at most. */
const WAITING_LIMIT = 1_024;

/** The first addition with this idempotency key is not finished yet: the route says 409. */
export class StillRunningError extends Error {
  override readonly name = 'StillRunningError';
}

export interface AddQueue {
  /**
   * Adds a pet together with all others that arrive while the batch before is written: they share one sync. Resolves when
   * the pet is durable. @throws StillRunningError, and what the store throws
   */
  add(addition: Addition): Promise<AddOutcome>;
}

interface Waiting {
  readonly addition: Addition;
  resolve(outcome: AddOutcome): void;
  reject(error: unknown): void;
}

/** @param now the time of each pet */
export function createAddQueue(store: Pick<Store, 'addPets'>, now: () => Date): AddQueue {
  const enqueue = createBatchQueue((additions) => store.addPets(additions, now()));
  /** So that no two additions of a batch share a key. */
  const runningKeys = new Set<string>();

  return {
    async add(addition) {
      const { idempotencyKey } = addition;
      if (idempotencyKey === undefined) return await enqueue(addition);
      if (runningKeys.has(idempotencyKey)) {
        throw new StillRunningError('the first request with this key is still running');
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

function createBatchQueue(write: (additions: readonly Addition[]) => Promise<AddOutcome[]>) {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) await writeBatch(waiting.splice(0, BATCH_SIZE), write);
    isWriting = false;
  }

  return (addition: Addition): Promise<AddOutcome> =>
    new Promise((resolve, reject) => {
      if (waiting.length >= WAITING_LIMIT) {
        reject(new StoreError('too many pets are waiting to be added'));
        return;
      }
      waiting.push({ addition, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      // Behind the requests that arrived with this one, so that they share the first batch.
      setImmediate(writeAll);
    });
}

async function writeBatch(
  batch: readonly Waiting[],
  write: (additions: readonly Addition[]) => Promise<AddOutcome[]>,
): Promise<void> {
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
