import type { PetstoreClient } from '../../client/client.ts';
import { describeFailure, RequestError } from '../../client/request-error.ts';
import type { SettledEntry, Settlement } from '../../contract/outputs/history.ts';
import { messageOf } from '../../errors.ts';
import { type AddEntry, type Entry, notYetKnown } from '../../history/entry.ts';
import type { History } from '../../history/open-history.ts';
import { type SettledAdd, settleAdd } from '../../history/settle-add.ts';
import type { Context } from '../../program/context/context.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';
import { withHistory } from '../shared/history-file.ts';
import { describeDifferences } from '../shared/same-pet.ts';
import { announceTarget, confirmWrite, refuseEnded } from '../shared/target.ts';
import { concludeSettling } from './conclude-settling.ts';
import { toHistoryEntry } from './history-entry.ts';
import { planSettling, type SettlePlan } from './settle-plan.ts';
import { settledSheet } from './settled-sheet.ts';

export interface SettleOptions {
  id?: number;
}

/** Sends adds of unknown outcome again where that is safe, and says what became of each. */
export async function settleHistory(context: Context, { id }: SettleOptions): Promise<void> {
  await announceTarget(context);
  refuseEnded(context, { words: listWords(id) });
  await withHistory(context, async (history) => {
    const plan = planSettling(context, history, id);
    const { settled, failure } = await settlePlan(context, history, plan, id);
    const { stringIds = false } = context.options;
    await writeRecords(context.terminal, settled, settledSheet, { hasStringIds: stringIds });
    concludeSettling(context, plan, { settled, id, canRepeat: failure !== undefined });
  });
}

interface SettledWrites {
  settled: SettledEntry[];
  /** What ended it early. */
  failure?: unknown;
}

async function settlePlan(
  context: Context,
  history: History,
  { sendable, unsettled, imports }: SettlePlan,
  id: number | undefined,
): Promise<SettledWrites> {
  const reported = [
    ...unsettled.map(({ entry, reason }) => toSettled({ ...entry, reason }, 'unknown')),
    ...imports.map((entry) => toSettled(entry, entry.isComplete ? 'unknown' : 'resumable')),
  ];
  if (sendable.length === 0) return { settled: sortById(reported) };
  const sent = await sendAgain(context, history, sendable, id);
  return { ...sent, settled: sortById([...sent.settled, ...reported]) };
}

async function sendAgain(
  context: Context,
  history: History,
  adds: readonly AddEntry[],
  id: number | undefined,
): Promise<SettledWrites> {
  const client = await context.client();
  if (!(await client.honorsIdempotency())) {
    const reason = `${context.environments.target().name} does not honor idempotency keys`;
    const settled = adds.map((entry) => {
      // Should it honor them one day, it will still not know these.
      history.complete(entry.id, { ...notYetKnown.add, reason: entry.reason, isKeyHonored: false });
      return toSettled({ ...entry, reason }, 'unknown');
    });
    return { settled };
  }
  await confirmWrite(context, {
    action: `Send ${adds.length === 1 ? '1 add' : `${adds.length} adds`} of unknown outcome again`,
    words: listWords(id),
  });
  return await sendEach(context, history, client, adds);
}

function listWords(id: number | undefined): string[] {
  return ['petstore', 'history', 'settle', ...(id === undefined ? [] : [String(id)])];
}

/** One after another, until one fails for a reason that the next would meet too. */
async function sendEach(
  { terminal }: Context,
  history: History,
  client: PetstoreClient,
  adds: readonly AddEntry[],
): Promise<SettledWrites> {
  const settled: SettledEntry[] = [];
  let failure: unknown;
  for (const entry of adds) {
    if (failure !== undefined) {
      settled.push(toSettled({ ...entry, reason: describe(failure) }, 'unknown'));
      continue;
    }
    const sent = await settleAdd(client, entry);
    ({ failure } = sent);
    history.complete(entry.id, sent.result);
    if (sent.pet !== undefined) {
      const differences = describeDifferences(entry.pet, sent.pet);
      if (differences.length > 0)
        terminal.warn(`Pet ${sent.pet.id} is not as it was sent: ${differences.join('; ')}`);
    }
    settled.push(toSettled({ ...entry, ...sent.result }, findSettlement(sent)));
  }
  return { settled, failure };
}

function sortById(entries: readonly SettledEntry[]): SettledEntry[] {
  return [...entries].sort((one, other) => one.id - other.id);
}

function findSettlement({ result, isReplay }: SettledAdd): Settlement {
  if (result.outcome === 'unknown') return 'unknown';
  if (result.outcome !== 'applied') return 'rejected';
  return isReplay ? 'already_added' : 'added_now';
}

function describe(failure: unknown): string {
  return failure instanceof RequestError ? describeFailure(failure.failure) : messageOf(failure);
}

function toSettled(entry: Entry, settlement: Settlement): SettledEntry {
  return { ...toHistoryEntry(entry), settlement };
}
