import type { UserError } from '../../errors.ts';
import { readGoodRows } from '../../import/check-row.ts';
import type { ImportRecords } from '../../import/import-record.ts';
import { type OwnRejects, openRejectsFile } from '../../import/rejects-file.ts';
import { createRowKeys, type RowResult, sendRows } from '../../import/send-rows.ts';
import type { Context } from '../../program/context.ts';
import { openProgress } from '../../terminal/progress.ts';
import { addRow } from './add-row.ts';
import { chooseAgain } from './ask-import.ts';
import type { Delivery } from './delivery.ts';
import { formatProgress } from './format-count.ts';
import { type ActivePlan, type RecordedRun, recordRun } from './record-run.ts';
import { createTally, type Totals } from './totals.ts';
import { writeResults } from './write-results.ts';

/** Sends the rows of a file and writes what became of each; recorded before the first and after the last. */
export async function sendDelivery(
  context: Context,
  delivery: Delivery,
  records: ImportRecords,
  plan: ActivePlan,
): Promise<Totals> {
  await delivery.connect();
  const { rejects: path } = delivery.options;
  const rejects = path === undefined ? undefined : openRejectsFile(path, findOwn(plan));
  const run = await recordRun(context, delivery, records, plan);
  const tally = createTally();
  const progress = openProgress(context.terminal);
  const startedAt = performance.now();
  async function* read() {
    for await (const result of sendAll(context, delivery, run)) {
      tally.add(result);
      if (result.outcome.kind === 'refused') rejects?.add(result.row, result.outcome.reason);
      if (context.terminal.hasNotices)
        progress.update(formatProgress(tally.count(), delivery.checked.count, startedAt));
      yield [result];
    }
  }
  let outputError: UserError | undefined;
  try {
    outputError = await writeResults(context, read());
  } finally {
    progress.end();
    rejects?.close();
  }
  const totals: Totals = {
    ...tally.read(),
    outputError,
    isResumed: plan.kind === 'resume',
    isRepeatable: run.isRepeatable(),
    seconds: (performance.now() - startedAt) / 1000,
  };
  await run.finish(totals);
  return totals;
}

/** What earlier runs of this import wrote; of one that was killed nobody knows until when. */
function findOwn(plan: ActivePlan): OwnRejects | undefined {
  if (plan.kind === 'start' || plan.record.rejects === undefined) return undefined;
  const { rejects, result } = plan.record;
  return { path: rejects, until: result && new Date(result.ended) };
}

/** The result of every row that was sent. Rows that were added from another computer are added again only if that is wanted. */
async function* sendAll(
  context: Context,
  delivery: Delivery,
  run: RecordedRun,
  isFirst = run.isFirst,
): AsyncGenerator<RowResult, void> {
  const { client } = await delivery.connect();
  const results = sendRows({
    rows: readGoodRows(delivery.file.reader),
    count: delivery.checked.count,
    addPet: (pet, key) => addRow(client, pet, key),
    keyOf: createRowKeys(delivery.checked.digest, run.nonce()),
    signal: context.signal,
  });
  for await (const result of results) {
    const isElsewhere = isFirst && result.row.number === 1 && isReplayed(result);
    if (isElsewhere && (await chooseAgain(context, delivery, run)) === 'again') {
      return yield* sendAll(context, delivery, run, false);
    }
    yield result;
  }
}

function isReplayed({ outcome }: RowResult): boolean {
  return outcome.kind === 'added' && outcome.isReplayed;
}
