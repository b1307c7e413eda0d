import type { Pet } from '../contract/pet.ts';
import type { PetRow } from './row.ts';

/** What became of a row that was sent. */
export type RowOutcome =
  /** `keyUntil`: until when the service knows its key, where it says so. */
  | {
      readonly kind: 'added';
      readonly pet: Pet;
      readonly isReplayed: boolean;
      readonly keyUntil: Date | undefined;
    }
  /** A row that was in before this run, and was not sent. */
  | { readonly kind: 'before' }
  /** The service refused this pet; others may be added. `isIn`: because it is there already. */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly reason: string;
      readonly isIn: boolean;
    }
  /** It may have been added; it is not sent again. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** Nothing more can be sent; whether this row was added `error` knows. */
  | { readonly kind: 'stopped'; readonly error: unknown };

export interface RowResult {
  readonly row: PetRow;
  readonly outcome: RowOutcome;
}

export interface SendOptions {
  readonly rows: Iterable<PetRow>;
  /** Of the whole file: up to 100 are sent one after another, so that ids follow the file. */
  readonly count: number;
  /** Never rejects. */
  addRow(row: PetRow): Promise<RowOutcome>;
  /** Once aborted no further row is sent; the results of those in flight still come. */
  readonly signal: AbortSignal;
}

const MAX_ROWS_IN_ORDER = 100;
const CONCURRENCY = 16;

/**
 * Sends rows and yields their results in the order of the file. One is sent at a time until the first is added: its result
 * says whether the file was imported elsewhere. Ends early after a row that stopped it; rows that were not sent have no result.
 */
export async function* sendRows(options: SendOptions): AsyncGenerator<RowResult, void> {
  const { count, signal } = options;
  const inFlight: Promise<RowResult>[] = [];
  let hasAdded = false;
  let isStopped = false;
  const send = async (row: PetRow): Promise<RowResult> => {
    const outcome = await options.addRow(row);
    hasAdded ||= outcome.kind === 'added';
    isStopped ||= outcome.kind === 'stopped';
    return { row, outcome };
  };
  for (const row of options.rows) {
    if (isStopped || signal.aborted) break;
    inFlight.push(send(row));
    const limit = count > MAX_ROWS_IN_ORDER && hasAdded ? CONCURRENCY : 1;
    if (inFlight.length >= limit) yield* takeFirst(inFlight);
  }
  while (inFlight.length > 0) yield* takeFirst(inFlight);
}

async function* takeFirst(inFlight: Promise<RowResult>[]): AsyncGenerator<RowResult, void> {
  const first = inFlight.shift();
  if (first !== undefined) yield await first;
}
