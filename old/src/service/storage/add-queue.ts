import {
  type Addition,
  type AddOutcome,
  STALL_MS,
  type Store,
  StoreUnavailableError,
} from './store.ts';

/** Additions per transaction, at most; for speed, see bench/README.md. */
const BATCH_SIZE = 128;

/** Of so few all share a sync, which costs more than they do. */
const SMALL_BATCH_SIZE = 16;

/** The first addition with this idempotency key is not finished yet. */
export class StillRunningError extends Error {
  override readonly name = 'StillRunningError';
}

export interface AddQueue {
  /**
   * Adds a pet together with all others that arrive while the batch before is written: they share one sync.
   * Resolves when the pet is durable.
   * @throws StillRunningError, and what the store throws
   */
  add(addition: Addition): Promise<AddOutcome>;
  /** How many additions are not finished yet. */
  readonly size: number;
}

interface Waiting {
  readonly addition: Addition;
  resolve(outcome: AddOutcome): void;
  reject(error: unknown): void;
}

export function createAddQueue(
  store: Pick<Store, 'addPets' | 'batchesAtOnce' | 'isStalled'>,
  now: () => Date,
): AddQueue {
  const queue = createBatchQueue(store, now);
  const runningKeys = new Set<string>();

  return {
    add(addition) {
      if (store.isStalled()) return Promise.reject(queue.refuseWaiting());
      const key = addition.idempotencyKey;
      if (key === undefined) return queue.enqueue(addition);
      if (runningKeys.has(key))
        return Promise.reject(new StillRunningError('the first request is still running'));
      runningKeys.add(key);
      return queue.enqueue(addition).finally(() => runningKeys.delete(key));
    },

    get size() {
      return queue.size;
    },
  };
}

function createBatchQueue(store: Pick<Store, 'addPets' | 'batchesAtOnce'>, now: () => Date) {
  const waiting: Waiting[] = [];
  let batches = 0;
  let inBatches = 0;
  let batchSize = BATCH_SIZE;
  let endedAt = Number.NEGATIVE_INFINITY;

  /** Where the store takes two, one half of the clients that add now is gathered while the pets of the others are written. */
  function findShare(): number {
    const share = Math.ceil((inBatches + waiting.length) / store.batchesAtOnce);
    return Math.min(Math.max(share, SMALL_BATCH_SIZE), BATCH_SIZE);
  }

  /** One batch is always written; a further one is sent when it is full. */
  function isBatchDue(): boolean {
    if (batches === 0) return waiting.length > 0;
    return batches < store.batchesAtOnce && waiting.length >= batchSize;
  }

  function startBatches(): void {
    while (isBatchDue()) void writeBatch();
  }

  /** More may have arrived at once than add usually. */
  function startFirstBatch(): void {
    if (batches === 0) batchSize = Math.max(batchSize, findShare());
    startBatches();
  }

  function refuseWaiting(): StoreUnavailableError {
    return refuseAll(waiting.splice(0));
  }

  async function writeBatch(): Promise<void> {
    const sentAt = performance.now();
    const batch = waiting.splice(0, batchSize);
    batches += 1;
    inBatches += batch.length;
    try {
      const additions = batch.map(({ addition }) => addition);
      resolveAll(batch, await store.addPets(additions, now()));
    } catch (error) {
      // It changes nothing for those that are resolved.
      for (const { reject } of batch) reject(error);
      // The store writes one after the other.
      const isSlow = performance.now() - Math.max(sentAt, endedAt) > STALL_MS;
      if (isSlow && error instanceof StoreUnavailableError) refuseWaiting();
    }
    endedAt = performance.now();
    batchSize = findShare();
    batches -= 1;
    inBatches -= batch.length;
    startBatches();
  }

  function enqueue(addition: Addition): Promise<AddOutcome> {
    return new Promise((resolve, reject) => {
      waiting.push({ addition, resolve, reject });
      if (batches > 0) startBatches();
      // Behind the requests that arrived with this one, so that the first batch is shared as well.
      else if (waiting.length === 1) setImmediate(startFirstBatch);
    });
  }

  return {
    enqueue,
    refuseWaiting,
    get size() {
      return waiting.length + inBatches;
    },
  };
}

function resolveAll(batch: readonly Waiting[], outcomes: readonly AddOutcome[]): void {
  for (const [index, { resolve }] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error('the store returned no outcome for an addition');
    resolve(outcome);
  }
}

/** Nothing of them was stored. */
function refuseAll(waiting: readonly Waiting[]): StoreUnavailableError {
  const error = new StoreUnavailableError('an add has waited for the database for too long');
  for (const { reject } of waiting) reject(error);
  return error;
}
