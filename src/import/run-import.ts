import type { PetstoreClient } from '../client/client.ts';
import { IDEMPOTENCY_DAYS } from '../contract/headers.ts';
import { UserError } from '../errors.ts';
import type { ImportFile } from './import-file.ts';
import type { Pace } from './send/concurrency-limit.ts';
import { type SendOptions, sendRows } from './send/send-rows.ts';
import { type DoubtfulRow, findDoubtfulRows } from './staging/find-doubtful-rows.ts';
import type { Journal } from './staging/journal.ts';
import { findRowsInDoubt } from './staging/journal-state.ts';

export interface ImportContext {
  client: PetstoreClient;
  file: ImportFile;
  journal: Journal;
  pace: Pace;
  honoursKeys: boolean;
  now: () => Date;
}

export interface ImportOptions extends Omit<SendOptions, 'rows'> {
  /** What was found out about rows whose fate a crash left open. */
  onDoubt(row: DoubtfulRow): void;
}

export interface RunResult {
  isComplete: boolean;
  /** What ended it early; undefined when nothing did, or the signal. */
  failure: unknown;
}

/** A key that is about to be forgotten may be forgotten by the time it arrives. */
const KEY_MARGIN_MS = 60 * 60 * 1000;
const KEY_LIFETIME_MS = IDEMPOTENCY_DAYS * 24 * 60 * 60 * 1000 - KEY_MARGIN_MS;

/** Sends what the journal does not know as settled, after rows that must not be sent blindly were looked for. */
export async function runImport(
  context: ImportContext,
  options: ImportOptions,
): Promise<RunResult> {
  const { client, file, journal, pace, honoursKeys } = context;
  const readRows = () => file.readRows({ onNotice: () => {} });
  await settleDoubts(context, options);
  const pass = readRows();
  const sent = await sendRows(
    { client, journal, pace, honoursKeys },
    { ...options, rows: pass.rows },
  );
  const isEnd = sent === undefined && !options.signal.aborted;
  const failure = isEnd && pass.hash() !== journal.state.header?.hash ? refuseChange(file) : sent;
  const isComplete = isEnd && failure === undefined;
  if (isComplete && !journal.state.isComplete) await journal.complete();
  return { isComplete, failure };
}

/** Rows that may be in the store by a key that the service has forgotten: reported, and sent only when the list is sure to lack them. */
async function settleDoubts(
  { client, file, journal, honoursKeys, now }: ImportContext,
  { signal, onDoubt }: ImportOptions,
): Promise<void> {
  const latest = now().getTime() - KEY_LIFETIME_MS;
  const inDoubt = [...findRowsInDoubt(journal.state)];
  const old = inDoubt.filter(([, at]) => !honoursKeys || at.getTime() < latest);
  if (old.length === 0) return;
  const readRows = () => file.readRows({ onNotice: () => {} }).rows;
  const context = { client, state: journal.state, readRows, signal };
  for (const doubt of await findDoubtfulRows(context, new Map(old))) {
    onDoubt(doubt);
    const reason = describeDoubt(doubt);
    if (reason !== undefined) await journal.settle(doubt.row.number, { kind: 'unknown', reason });
  }
}

/** Why a row is not sent again, or undefined when it surely may be. */
function describeDoubt({ candidates, isListComplete }: DoubtfulRow): string | undefined {
  if (candidates.length > 0) {
    return `sent before a crash, answer lost; the store has a pet like it: ${candidates.join(', ')}`;
  }
  return isListComplete ? undefined : 'sent before a crash, answer lost; the list is not complete';
}

function refuseChange({ name }: ImportFile): UserError {
  return new UserError('cli_file', `${name} was changed while it was being imported`, {
    details: ['rows sent from the changed file are not the rows that were checked'],
    outcome: 'applied',
  });
}
