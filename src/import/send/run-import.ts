import { IDEMPOTENCY_DAYS } from '../../contract/headers.ts';
import type { RowResult } from './outcome-batch.ts';
import { type SendContext, type SendOptions, sendRows } from './send-rows.ts';

export interface RunResult {
  isComplete: boolean;
  /** What ended it early; undefined when nothing did, or the signal. */
  failure: unknown;
}

/** A key that is about to be forgotten may be forgotten by the time it arrives. */
const KEY_MARGIN_MS = 60 * 60 * 1000;
/** For so long a row that may have been added can be sent again. */
const RESEND_MS = IDEMPOTENCY_DAYS * 24 * 60 * 60 * 1000 - KEY_MARGIN_MS;

const endOfTime = new Date(8.64e15);

const tooLate = 'sent earlier, response lost; the service no longer recognizes its idempotency key';
const neverKnown =
  'sent earlier, response lost; the service does not recognize its idempotency key';

/** Sends the rows without an outcome, but gives up those that may have been added and cannot safely be sent again. */
export async function runImport(context: SendContext, options: SendOptions): Promise<RunResult> {
  const { staging, honorsKeys, clock } = context;
  if (honorsKeys) staging.giveUp(new Date(clock().getTime() - RESEND_MS), tooLate);
  else staging.giveUp(endOfTime, neverKnown);
  await reportEarlier(context, options);
  const failure = await sendRows(context, options);
  return { isComplete: failure === undefined && !options.signal.aborted, failure };
}

/** Rows that ended otherwise than added are reported by every run. */
async function reportEarlier({ staging }: SendContext, { onOutcome }: SendOptions): Promise<void> {
  let others: readonly RowResult[] = [];
  for (let after = 0; ; after = others.at(-1)?.row.number ?? after) {
    others = staging.readOthers(after);
    if (others.length === 0) return;
    for (const other of others) await onOutcome(other);
  }
}
