import type { Announcement } from '../staging/announcements.ts';
import type { RowResult, Staging } from '../staging/staging.ts';

export interface OutcomeBatchOptions {
  staging: Pick<Staging, 'record'>;
  /** Called for every row as it ends, once its outcome is durable. */
  onOutcome(result: RowResult): Promise<void> | undefined;
  /** What fails while nobody waits. */
  onFailure(error: unknown): void;
}

/** How long an outcome waits for others to share a transaction, in milliseconds. */
const MAX_WAIT_MS = 200;

/** Stores outcomes, many per transaction, and reports each one after it is durable. */
export function createOutcomeBatch({ staging, onOutcome, onFailure }: OutcomeBatchOptions) {
  let batch: RowResult[] = [];
  let reporting = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function report(results: readonly RowResult[]): Promise<void> {
    for (const result of results) {
      const taking = onOutcome(result);
      // A promise per row would slow down an import that has nothing to write.
      if (taking !== undefined) await taking;
    }
  }

  /** Stores what was added, and what is announced with it. Resolves when all of it was reported. What cannot be stored stays for the next call. */
  async function flush(announced?: Announcement): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const results = batch;
    if (results.length > 0 || announced) staging.record(results, announced);
    batch = [];
    reporting = reporting.then(() => report(results));
    await reporting;
  }

  function add(result: RowResult): void {
    batch.push(result);
    timer ??= setTimeout(() => flush().catch(onFailure), MAX_WAIT_MS);
  }

  return {
    add,
    flush,
    /** Resolves when all that was stored was reported. */
    reported: () => reporting,
    countUnstored: () => batch.length,
  };
}
