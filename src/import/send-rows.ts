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

export interface SendOptions {
  readonly rows: readonly PetRow[];
  /** Of the whole file: up to 100 are sent one after another, so that ids follow the file. */
  readonly count: number;
  sendRow(row: PetRow): Promise<RowOutcome['kind']>;
  /** Once aborted no further row is sent; those in flight are waited for. */
  readonly signal: AbortSignal;
}

const MAX_ROWS_IN_ORDER = 100;
const CONCURRENCY = 16;

/**
 * Sends rows until one of them stops it. One is sent at a time until the first is added, which says whether the file was
 * imported elsewhere.
 */
export async function sendRows({ rows, count, signal, sendRow }: SendOptions): Promise<void> {
  // Those that send together take their rows from the same iterator.
  const waiting = rows.values();
  let hasAdded = false;
  let isStopped = false;
  const sendWhile = async (isWanted: () => boolean) => {
    while (isWanted() && !isStopped && !signal.aborted) {
      const { value: row } = waiting.next();
      if (row === undefined) return;
      const kind = await sendRow(row);
      hasAdded ||= kind === 'added';
      isStopped ||= kind === 'stopped';
    }
  };
  await sendWhile(() => !hasAdded || count <= MAX_ROWS_IN_ORDER);
  await Promise.all(Array.from({ length: CONCURRENCY }, () => sendWhile(() => true)));
}
