import { findFormat } from '../../import/read/open-input.ts';
import type { RowResult } from '../../import/send/outcome-batch.ts';
import { type RunResult, runImport } from '../../import/send/run-import.ts';
import type { RunningImport } from '../../import/staging/imports.ts';
import type { Counts } from '../../import/staging/outcome.ts';
import { openRejectsFile, type RejectsFile } from '../../import/staging/rejects-file.ts';
import type { Context } from '../../program/context/context.ts';
import { openProgress, type Progress } from '../../terminal/progress.ts';
import type { ImportPlan } from './import-plan.ts';
import { openSender, type Sender } from './open-sender.ts';
import { createResultWriter, toImportResult } from './result-writer.ts';

/** What phase 3 came to. */
export interface SentImport extends RunResult {
  counts: Counts;
  /** Added by this run. */
  addedNow: number;
  seconds: number;
}

export interface StagedRun {
  /** Called when nothing else can fail before the first row is sent. */
  open(): RunningImport;
  /** A run that is resumed writes the rejects of earlier runs again. */
  canReplaceRejects: boolean;
}

/** Phase 3: sends the staged rows and shows the progress. */
export async function sendStaged(
  context: Context,
  plan: ImportPlan,
  run: StagedRun,
): Promise<SentImport> {
  const progress = openProgress(context.terminal, context.clock);
  const sender = await openSender(context, plan.options.concurrency, progress.end);
  try {
    const rejects = await openRejects(plan, run.canReplaceRejects);
    try {
      return await sendRows(context, run.open(), { sender, progress, rejects });
    } finally {
      await rejects?.close();
    }
  } finally {
    if (!context.signal.aborted) progress.end();
    sender.close();
  }
}

interface SendTools {
  sender: Sender;
  progress: Progress;
  rejects: RejectsFile | undefined;
}

async function sendRows(
  context: Context,
  { staging, record, counts: before }: RunningImport,
  { sender, progress, rejects }: SendTools,
): Promise<SentImport> {
  const { clock, signal } = context;
  const results = createResultWriter(context);
  const started = performance.now();
  // Rows that ended otherwise than added are reported again, and counted then.
  const counts = { added: before.added, rejected: 0, unknown: 0 };
  const onOutcome = async ({ row, outcome }: RowResult): Promise<void> => {
    counts[outcome.kind] += 1;
    const failed = counts.rejected + counts.unknown;
    const done = counts.added + failed;
    if (!signal.aborted) progress.update({ label: 'Adding', done, total: record.rows, failed });
    if (outcome.kind === 'rejected') await rejects?.write(row.pet, staging.readSource(row.number));
    await results.add([toImportResult({ row, outcome })]);
  };
  try {
    const sending = { ...sender, staging, run: record.run, clock };
    const result = await runImport(sending, { signal, onOutcome });
    const seconds = (performance.now() - started) / 1000;
    return { ...result, counts, addedNow: counts.added - before.added, seconds };
  } finally {
    await results.finish();
  }
}

async function openRejects(
  { options, source, subject }: ImportPlan,
  canReplace: boolean,
): Promise<RejectsFile | undefined> {
  if (options.rejects === undefined) return undefined;
  const format = findFormat(options.rejects) ?? source.format;
  return await openRejectsFile(options.rejects, {
    format,
    source: { ...source, path: subject.path },
    canReplace,
  });
}
