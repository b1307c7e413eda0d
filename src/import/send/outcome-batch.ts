import type { Pet } from '../../contract/pet.ts';
import type { OtherOutcome } from '../staging/outcome.ts';
import type { StagedRow, Staging } from '../staging/staging.ts';

/** How a row ended in this run, or in an earlier one when it was not added then. */
export type SentOutcome = { kind: 'added'; pet: Pet } | OtherOutcome;

export interface RowResult {
  row: StagedRow;
  outcome: SentOutcome;
}

/** Stores outcomes, many per transaction, and reports each one after it is durable. */
export interface OutcomeBatch {
  add(result: RowResult): void;
  /** Stores what was added, and what is announced with it. Resolves when all of it was reported. */
  flush(announced?: { upTo: number; at: Date }): Promise<void>;
}

export interface OutcomeBatchOptions {
  staging: Pick<Staging, 'record'>;
  onOutcome(result: RowResult): void | Promise<void>;
  /** What fails while nobody waits. */
  onFailure(error: unknown): void;
}

/** How long an outcome waits for others to share a transaction, in milliseconds. */
const MAX_WAIT_MS = 200;

export function createOutcomeBatch(options: OutcomeBatchOptions): OutcomeBatch {
  const { staging, onOutcome, onFailure } = options;
  let batch: RowResult[] = [];
  let reporting = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function report(results: readonly RowResult[]): Promise<void> {
    for (const result of results) await onOutcome(result);
  }

  async function flush(announced?: { upTo: number; at: Date }): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const results = batch;
    batch = [];
    if (results.length > 0 || announced) staging.record(results.map(toStored), announced);
    reporting = reporting.then(() => report(results));
    await reporting;
  }

  return {
    add(result) {
      batch.push(result);
      timer ??= setTimeout(() => flush().catch(onFailure), MAX_WAIT_MS);
    },
    flush,
  };
}

function toStored({ row, outcome }: RowResult) {
  if (outcome.kind !== 'added') return { row, outcome };
  return { row, outcome: { kind: outcome.kind, id: outcome.pet.id } };
}
