import { RequestError } from '../../client/failure.ts';
import type { UserError } from '../../errors.ts';
import type { RowOutcome, RowResult } from '../../import/send-rows.ts';

/** How many rows that were not added an error names. */
const MAX_NAMED = 10;

/** What became of the rows that were sent. */
export interface Tally {
  readonly added: number;
  /** Of those added: before this run. */
  readonly replayed: number;
  readonly refused: number;
  readonly unknown: number;
  /** Why nothing more was sent, at which line. */
  readonly stop: { readonly line: number; readonly error: unknown } | undefined;
  /** The first rows that were refused, or whose outcome is unknown. */
  readonly notAdded: readonly RowResult[];
}

export interface Totals extends Tally {
  readonly seconds: number;
  /** Earlier runs may have added rows that this one did not come to. */
  readonly isResumed: boolean;
  /** Whether the next run of the same line will know of this one. */
  readonly isRecorded: boolean;
  /** Why results, or rows that were refused, could not be written, when they could not. */
  readonly outputError: UserError | undefined;
}

/** Counts results as they arrive. */
export function createTally() {
  const notAdded: RowResult[] = [];
  const counts = { added: 0, replayed: 0, refused: 0, unknown: 0, stopped: 0 };
  let stop: Tally['stop'];
  return {
    add(result: RowResult): void {
      const { row, outcome } = result;
      counts[outcome.kind] += 1;
      if (outcome.kind === 'stopped') {
        stop ??= { line: row.line, error: outcome.error };
        if (isUnknown(outcome)) counts.unknown += 1;
      } else if (outcome.kind !== 'added') {
        if (notAdded.length < MAX_NAMED) notAdded.push(result);
      } else if (outcome.isReplayed) counts.replayed += 1;
    },
    read: (): Tally => ({ ...counts, stop, notAdded }),
  };
}

/** Whether the pet may or may not have been added. */
export function isUnknown(outcome: RowOutcome): boolean {
  if (outcome.kind !== 'stopped') return outcome.kind === 'unknown';
  return outcome.error instanceof RequestError && outcome.error.outcome === 'unknown';
}
