import { IDEMPOTENCY_LIFETIME_MS } from '../contract/headers.ts';
import type { ImportRecord } from './import-record.ts';

/** What an import has to do, by what is known of it here. */
export type ImportPlan =
  /** Send all rows under keys of their own. */
  | {
      readonly kind: 'start';
      readonly nonce: string | undefined;
      /** Another file of this name was not added as a whole; this may be a corrected copy of it. */
      readonly corrects: ImportRecord | undefined;
    }
  /** Send all rows under the keys they were sent with before: the service adds what it has not. */
  | { readonly kind: 'resume'; readonly record: ImportRecord }
  /** All rows are there: send nothing. */
  | { readonly kind: 'done'; readonly record: ImportRecord }
  /** Sending again could add pets twice. */
  | { readonly kind: 'unsafe'; readonly record: ImportRecord };

export interface PlanOptions {
  /** Of the same rows. */
  readonly own: ImportRecord | undefined;
  /** Of other rows in a file of the same name. */
  readonly previous: ImportRecord | undefined;
  /** `--again` */
  readonly isAgain: boolean;
  readonly now: Date;
  /** Whether the service honors idempotency keys; asked only where it matters. */
  honorsKeys(): Promise<boolean>;
}

/** The service forgets a key to the minute; clocks differ. */
const MARGIN_MS = 60 * 60 * 1000;

export async function planImport(options: PlanOptions): Promise<ImportPlan> {
  const { own, previous, isAgain } = options;
  const again = { kind: 'start', nonce: crypto.randomUUID(), corrects: undefined } as const;
  if (own === undefined) {
    if (isAgain) return again;
    const corrects = previous && wasAddedInPart(previous) ? previous : undefined;
    return { kind: 'start', nonce: undefined, corrects };
  }
  if (own.result?.isFinished && isAgain) return again;
  if (isComplete(own)) return { kind: 'done', record: own };
  if (await canResume(own, options)) return { kind: 'resume', record: own };
  return isAgain ? again : { kind: 'unsafe', record: own };
}

/** After a run that was killed nobody knows. */
function wasAddedInPart(record: ImportRecord): boolean {
  const { result } = record;
  return result === undefined || (!isComplete(record) && result.added + result.unknown > 0);
}

function isComplete({ result, rows }: ImportRecord): boolean {
  return result?.added === rows;
}

/** A start in the future: the clock was set since, and says nothing of the age. */
async function canResume({ started, result }: ImportRecord, { now, honorsKeys }: PlanOptions) {
  if (result !== undefined && result.added + result.unknown === 0) return true;
  const age = now.getTime() - Date.parse(started);
  const isYoung = age > -MARGIN_MS && age < IDEMPOTENCY_LIFETIME_MS - MARGIN_MS;
  return isYoung && (await honorsKeys());
}
