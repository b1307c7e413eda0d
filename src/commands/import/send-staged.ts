import { type RunResult, runImport } from '../../import/send/run-import.ts';
import type { RunningImport } from '../../import/staging/imports.ts';
import { openRejectsFile, type RejectsFile } from '../../import/staging/rejects-file.ts';
import type { Counts, RowResult } from '../../import/staging/staging.ts';
import type { Context } from '../../program/context/context.ts';
import { openProgress } from '../../terminal/progress.ts';
import type { RunChoice } from './choose-run.ts';
import { openSender } from './open-sender.ts';
import type { ImportPlan } from './plan-import.ts';
import { createResultWriter, toImportResult } from './result-writer.ts';

/** What phase 3 came to. */
export interface SentImport extends RunResult {
  running: RunningImport;
  counts: Counts;
  /** Added by this run. */
  addedNow: number;
  seconds: number;
}

/** Phase 3: sends the staged rows and shows the progress. */
export async function sendStaged(
  context: Context,
  { options, source, subject }: ImportPlan,
  run: RunChoice,
): Promise<SentImport> {
  const { clock, signal, terminal } = context;
  const progress = openProgress(terminal, context.clock);
  const sender = await openSender(context, options.concurrency, progress.end);
  let rejects: RejectsFile | undefined;
  try {
    // A run that is resumed writes the rejects of earlier runs again.
    if (options.rejects !== undefined)
      rejects = await openRejectsFile(
        options.rejects,
        { ...source, path: subject.path },
        !run.isNew,
      );
    const running = run.open();
    const { staging, record, counts: before } = running;
    const results = createResultWriter(context);
    const started = performance.now();
    // Rows that ended otherwise than added are reported again, and counted then.
    const counts = { added: before.added, rejected: 0, unknown: 0 };
    const onOutcome = async ({ row, outcome }: RowResult): Promise<void> => {
      counts[outcome.kind] += 1;
      const failed = counts.rejected + counts.unknown;
      const done = counts.added + failed;
      if (!signal.aborted) progress.update({ label: 'Adding', done, total: record.rows, failed });
      if (outcome.kind === 'rejected')
        await rejects?.write(row.pet, staging.readSource(row.number));
      await results.add(toImportResult({ row, outcome }));
    };
    const sending = { ...sender, staging, run: record.run, clock };
    const result = await runImport(sending, { signal, onOutcome }).finally(results.finish);
    const seconds = (performance.now() - started) / 1000;
    return { ...result, running, counts, addedNow: counts.added - before.added, seconds };
  } finally {
    if (!signal.aborted) progress.end();
    sender.close();
    await rejects?.close();
  }
}
