import type { Pet } from '../../../contract/pet.ts';
import { type RunResult, runImport } from '../../../import/send/run-import.ts';
import type { RunningImport } from '../../../import/staging/imports.ts';
import { openRejectsFile, type RejectsFile } from '../../../import/staging/rejects-file.ts';
import type { Counts, RowResult, Staging } from '../../../import/staging/staging.ts';
import type { Context } from '../../../program/context/context.ts';
import { openProgress } from '../../../terminal/progress.ts';
import { describeDifferences } from '../../shared/same-pet.ts';
import type { WriteHistory } from '../../shared/write-history.ts';
import type { RunChoice } from '../plan/choose-run.ts';
import type { ImportPlan } from '../plan/plan-import.ts';
import { openSender } from './open-sender.ts';
import { recordImport } from './record-import.ts';
import { createResultWriter, type ResultWriter, toImportResult } from './result-writer.ts';

/** Rows that are added, but not as they were sent. */
interface Differences {
  rows: number;
  /** Of the first ones, such as `line 3: name: sent "Rex", is "rex"`. */
  first: string[];
}

/** What phase 3 came to. */
export interface SentImport extends RunResult {
  running: RunningImport;
  /** As they are stored. */
  counts: Counts;
  /** Added by this run. */
  addedNow: number;
  seconds: number;
  differences: Differences;
  /** Whether every row has its outcome. */
  isComplete: boolean;
}

/** Phase 3: sends the staged rows and shows the progress. */
export async function sendStaged(
  context: Context,
  plan: ImportPlan,
  run: RunChoice,
  history: WriteHistory,
): Promise<SentImport> {
  const { clock, signal, terminal } = context;
  const progress = openProgress(terminal, context.clock);
  const sender = await openSender(context, plan.options.concurrency, progress.end);
  try {
    const { running, rejects } = await openRun(plan, run);
    const { staging, record, counts: before } = running;
    const { added: addedBefore } = staging.countOutcomes();
    const results = createResultWriter(context);
    const started = performance.now();
    // Rows that ended otherwise than added are reported again, and shown then.
    const differences: Differences = { rows: 0, first: [] };
    const shown = { added: before.added, rejected: 0, unknown: 0 };
    const writeOutcome = async (result: RowResult): Promise<void> => {
      const { row, outcome } = result;
      if (outcome.kind === 'rejected') await rejects?.write(row.pet, row.source);
      await results.add(toImportResult(result));
    };
    const onOutcome = (result: RowResult): Promise<void> | undefined => {
      const { row, outcome } = result;
      shown[outcome.kind] += 1;
      const failed = shown.rejected + shown.unknown;
      if (outcome.kind === 'added') noteDifference(differences, row, outcome.pet);
      const done = shown.added + failed;
      if (!signal.aborted) progress.update({ label: 'Adding', done, total: record.rows, failed });
      return outcome.kind === 'added' ? results.add(toImportResult(result)) : writeOutcome(result);
    };
    const complete = await recordImport(context, history, running);
    const sending = { ...sender, staging, run: record.run, clock };
    const result = await runImport(sending, { signal, onOutcome });
    // A table is not written into the line of the progress.
    if (!signal.aborted) progress.end();
    const unwritten = await finishOutput(results, rejects, staging);
    const failure = result.failure ?? unwritten;
    const ended = staging.countOutcomes();
    const addedNow = ended.added - addedBefore;
    const counts = { ...ended, added: before.added + addedNow };
    const isComplete = counts.added + counts.rejected + counts.unknown === record.rows;
    await complete({ ...result, counts, isComplete });
    const seconds = (performance.now() - started) / 1000;
    return { ...result, failure, running, counts, addedNow, seconds, differences, isComplete };
  } finally {
    sender.close();
  }
}

const MAX_DIFFERENCES = 10;

function noteDifference(differences: Differences, row: RowResult['row'], pet: Pet): void {
  const [first] = describeDifferences(row.pet, pet);
  if (first === undefined) return;
  differences.rows += 1;
  if (differences.rows <= MAX_DIFFERENCES) differences.first.push(`line ${row.line}: ${first}`);
}

/** The rejects file first: where it is refused, nothing was started. */
async function openRun({ options, source, subject, known }: ImportPlan, run: RunChoice) {
  const earlier = run.isNew ? undefined : known?.staging?.findRejectsHash();
  const rejects =
    options.rejects === undefined
      ? undefined
      : await openRejectsFile(options.rejects, { ...source, path: subject.path }, earlier);
  try {
    return { running: run.open(), rejects };
  } catch (error) {
    await rejects?.close();
    throw error;
  }
}

/** Writes what waited for the last row. Returns what could not be written: the rows have their outcomes all the same. */
async function finishOutput(
  results: ResultWriter,
  rejects: RejectsFile | undefined,
  staging: Staging,
): Promise<unknown> {
  let failure: unknown;
  const onFailure = (error: unknown) => {
    failure ??= error;
  };
  await results.finish().catch(onFailure);
  try {
    const hash = await rejects?.close();
    if (hash !== undefined) staging.keepRejectsHash(hash);
  } catch (error) {
    onFailure(error);
  }
  return failure;
}
