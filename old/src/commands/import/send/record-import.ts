import { RequestError } from '../../../client/request-error.ts';
import type { ImportResult } from '../../../history/entry.ts';
import type { RunResult } from '../../../import/send/run-import.ts';
import type { RunningImport } from '../../../import/staging/imports.ts';
import type { Counts } from '../../../import/staging/staging.ts';
import type { Context } from '../../../program/context/context.ts';
import type { WriteHistory } from '../../shared/write-history.ts';

/** How far a run of an import came. */
interface Progress extends RunResult {
  counts: Counts;
  isComplete: boolean;
}

/** Records an import whose rows are about to be sent. Returns what completes the record. */
export async function recordImport(
  { clock }: Pick<Context, 'clock'>,
  history: WriteHistory,
  { record: { id: importId, path: file, rows, run } }: RunningImport,
): Promise<(progress: Progress) => Promise<void>> {
  const id = await history.use((opened, target) =>
    opened.recordImport({ importId, file, rows }, run, target, clock()),
  );
  return async (progress) => {
    if (id !== undefined) await history.use((opened) => opened.complete(id, describe(progress)));
  };
}

function describe({ counts, isComplete, failure, unstored }: Progress): ImportResult {
  const { added, rejected, unknown } = counts;
  const isLost = failure instanceof RequestError && failure.outcome === 'unknown';
  const isUnknown = isLost || unknown + unstored > 0;
  const notAdded = rejected > 0 ? 'not_applied' : 'not_sent';
  const outcome = isUnknown ? 'unknown' : added > 0 ? 'applied' : notAdded;
  return { outcome, added, rejected, unknown, isComplete };
}
