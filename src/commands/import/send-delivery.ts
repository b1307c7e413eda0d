import { UserError } from '../../errors.ts';
import { readGoodRows } from '../../import/check-row.ts';
import type { ImportRecords } from '../../import/import-record.ts';
import { openRejectsFile, type RejectsFile } from '../../import/rejects-file.ts';
import type { PetRow } from '../../import/row.ts';
import { formatRowKey, type RowResult, sendRows } from '../../import/send-rows.ts';
import type { Context } from '../../program/context.ts';
import { openProgress } from '../../terminal/progress.ts';
import { addRow } from './add-row.ts';
import { confirmAgain } from './ask-import.ts';
import type { Delivery } from './delivery.ts';
import { formatProgress } from './format-count.ts';
import { type ActivePlan, type RecordedRun, recordRun } from './record-run.ts';
import { createResultWriter } from './rows.ts';
import { createTally, type Totals } from './totals.ts';
import { writeResults } from './write-results.ts';

/** Sends the rows of a file and writes what became of each; recorded before the first and after the last. */
export async function sendDelivery(
  context: Context,
  delivery: Delivery,
  records: ImportRecords,
  plan: ActivePlan,
): Promise<Totals> {
  const { terminal, signal } = context;
  // Before anything is recorded: `--fields` may name one that is not there.
  const writer = createResultWriter(context);
  await delivery.connect();
  const { rejects: file } = delivery.options;
  const own = plan.kind === 'resume' ? plan.record.rejects : undefined;
  const rejects = file === undefined ? undefined : openRejectsFile(file, own);
  const run = await recordRun(context, delivery, records, plan);
  const tally = createTally();
  const progress = openProgress(terminal);
  const startedAt = performance.now();
  let rejectsError: UserError | undefined;
  async function* read() {
    for await (const result of sendAll(context, delivery, run)) {
      tally.add(result);
      rejectsError ??= addRejected(rejects, result);
      if (terminal.hasNotices)
        progress.update(formatProgress(result.row.number, delivery.checked.count, startedAt));
      yield [result];
    }
  }
  const sayStopping = () => {
    progress.end();
    terminal.notice('Stopping after the pets that were already sent. Ctrl-C again stops at once.');
  };
  signal.addEventListener('abort', sayStopping);
  let outputError: UserError | undefined;
  try {
    outputError = await writeResults(context, writer, read());
  } finally {
    signal.removeEventListener('abort', sayStopping);
    progress.end();
  }
  await run.finish(tally.read(), rejects?.close());
  return {
    ...tally.read(),
    outputError: outputError ?? rejectsError,
    isRecorded: run.isRecorded,
    isResumed: plan.kind === 'resume',
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** Returns why the row cannot be written, which does not stop the import. */
function addRejected(rejects: RejectsFile | undefined, { row, outcome }: RowResult) {
  try {
    if (outcome.kind === 'refused') rejects?.add(row, outcome.reason);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  return undefined;
}

/**
 * The result of every row that was sent. Pets that were added before, without a record here, are added again only if
 * that is wanted.
 */
async function* sendAll(
  context: Context,
  delivery: Delivery,
  run: RecordedRun,
): AsyncGenerator<RowResult, void> {
  const { file, checked, connect } = delivery;
  const { client } = await connect();
  const send = ({ pet, number }: PetRow) =>
    addRow(client, pet, formatRowKey(checked.digest, number, run.nonce()));
  const results = sendRows({
    ...{ rows: readGoodRows(file.reader), count: checked.count, addRow: send },
    signal: context.signal,
  });
  let isFirst = run.isFirst;
  for await (const result of results) {
    const { row, outcome } = result;
    const isElsewhere = isFirst && outcome.kind === 'added' && outcome.isReplayed;
    isFirst &&= outcome.kind !== 'added';
    if (isElsewhere) await addAgain(context, delivery, run);
    // Under another key from here on; rows before it were refused.
    yield isElsewhere ? { row, outcome: await send(row) } : result;
  }
}

/** @throws UserError where another delivery is not wanted; the import is not recorded then. */
async function addAgain(context: Context, delivery: Delivery, run: RecordedRun): Promise<void> {
  try {
    await confirmAgain(context, delivery);
    await run.addAgain();
  } catch (error) {
    await run.cancel();
    throw error;
  }
}
