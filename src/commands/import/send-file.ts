import type { Failure } from '../../client/request-error.ts';
import { findFormat } from '../../import/import-file.ts';
import type { GoodRow } from '../../import/read/row.ts';
import { type RunResult, runImport } from '../../import/run-import.ts';
import { createPace, type Pace } from '../../import/send/concurrency-limit.ts';
import type { SentOutcome } from '../../import/send/send-rows.ts';
import type { JournalBook } from '../../import/staging/journal.ts';
import type { JournalState } from '../../import/staging/journal-state.ts';
import { openRejectsFile, type RejectsFile } from '../../import/staging/rejects-file.ts';
import type { Context } from '../../program/context/context.ts';
import { openProgress } from '../../terminal/progress.ts';
import type { CheckedImport } from './checked-import.ts';
import { reportUnknownOutcome, toResult } from './describe-outcome.ts';
import { openGracePeriod } from './open-grace-period.ts';
import { createResultWriter } from './result-writer.ts';

/** What phase 3 came to. */
export interface SentFile extends RunResult {
  state: JournalState;
  /** Added by this run. */
  addedNow: number;
  seconds: number;
}

export interface ChosenRun {
  book: JournalBook;
  choice: 'resume' | 'begin';
}

/** Further attempts for each row: an import outlives a restart of the service, within the client's two minutes. */
const PATIENT_RETRIES = 20;

/** Phase 3: sends the rows and shows how far it has come. */
export async function sendFile(
  context: Context,
  checked: CheckedImport,
  { book, choice }: ChosenRun,
): Promise<SentFile> {
  const { terminal, clock, signal } = context;
  const { file, check, options } = checked;
  const progress = openProgress(terminal, { clock });
  const stop = openGracePeriod(context, progress.end);
  const pace = createPace(options.concurrency);
  const client = await context.client({
    signal: stop.signal,
    retries: PATIENT_RETRIES,
    onRetry: (failure) => slowDownAt(failure, pace),
  });
  const honoursKeys = await client.honorsIdempotency();
  if (!honoursKeys) warnOfKeys(context);
  const rejects = await openRejects(checked, choice);
  const results = createResultWriter(context);
  const journal = await (choice === 'resume' ? book.resume(clock) : book.begin(clock));
  const { state } = journal;
  const before = { added: state.added, at: performance.now() };

  const onOutcome = async (row: GoodRow, outcome: SentOutcome): Promise<void> => {
    const failed = state.others.size;
    const done = state.added + failed;
    if (!signal.aborted) progress.update({ label: 'Adding', done, total: check.rows, failed });
    if (outcome.kind === 'rejected') await rejects?.write(row.pet);
    await results.add([toResult(row, outcome)]);
  };
  try {
    const result = await runImport(
      { client, file, journal, pace, honoursKeys, now: clock },
      { signal, onOutcome, onDoubt: (doubt) => reportUnknownOutcome(context, doubt) },
    );
    const seconds = (performance.now() - before.at) / 1000;
    return { ...result, state, addedNow: state.added - before.added, seconds };
  } finally {
    if (!signal.aborted) progress.end();
    stop.close();
    await rejects?.close();
    await results.finish();
  }
}

/** With a run that goes on, the file is written anew: the journal knows the rows of earlier runs. */
async function openRejects(
  { file, options }: CheckedImport,
  choice: ChosenRun['choice'],
): Promise<RejectsFile | undefined> {
  if (options.rejects === undefined) return undefined;
  const format = findFormat(options.rejects) ?? file.format;
  const canReplace = choice === 'resume';
  return await openRejectsFile(options.rejects, { format, source: file.path, canReplace });
}

function slowDownAt(failure: Failure, pace: Pace): void {
  if ('status' in failure && [429, 503].includes(failure.status)) pace.slowDown();
}

function warnOfKeys({ terminal, environments }: Context): void {
  const { name } = environments.target();
  terminal.warn(
    `${name} does not honour idempotency keys: a row whose answer is lost is told as unknown and not sent again.`,
    { environment: name },
  );
}
