import { describeFailure, RequestError } from '../../client/request-error.ts';
import { UserError } from '../../errors.ts';
import { removeSpool } from '../../import/staging/spool.ts';
import type { Context } from '../../program/context/context.ts';
import type { CheckedImport } from './checked-import.ts';
import { formatImportLine } from './format-import-line.ts';
import type { SentFile } from './send-file.ts';

/** Says what the import came to. @throws what ended it, or UserError when not every pet is surely added. */
export async function concludeImport(
  context: Context,
  checked: CheckedImport,
  sent: SentFile,
): Promise<void> {
  const counts = countRows(checked, sent);
  const message = describeCounts(context, counts);
  const { environments, terminal } = context;
  const { name, url } = environments.target();
  const { addedNow, seconds } = sent;
  terminal.report('summary', message, {
    ...{ environment: name, url, ...counts, addedNow, seconds: Number(seconds.toFixed(3)) },
    isComplete: sent.isComplete,
  });
  if (!sent.isComplete) throw describeStop(context, checked, sent, { counts, message });
  const failure = describeEnd(context, checked, counts, message);
  const isNeeded = counts.rejected > 0 && checked.options.rejects === undefined;
  if (checked.file.path !== checked.options.file && !isNeeded) await removeSpool(checked.file.path);
  if (failure !== undefined) throw failure;
  // A machine format had its summary.
  if (terminal.format === 'table') terminal.notice(message);
}

interface Counts {
  rows: number;
  added: number;
  rejected: number;
  unknown: number;
}

function countRows({ check }: CheckedImport, { state }: SentFile): Counts {
  const others = [...state.others.values()];
  const unknown = others.filter((outcome) => outcome.kind === 'unknown').length;
  return { rows: check.rows, added: state.added, rejected: others.length - unknown, unknown };
}

function describeCounts({ environments }: Context, counts: Counts): string {
  const { rows, added, rejected, unknown } = counts;
  const { name } = environments.target();
  if (added === rows) return `Added ${rows} ${rows === 1 ? 'pet' : 'pets'} to ${name}.`;
  const rest = [
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(unknown > 0 ? [`${unknown} of unknown outcome`] : []),
  ];
  return [`${added} of ${rows} pets added to ${name}`, ...rest].join(', ');
}

/** The import ended early: how far it came, why, and the line that goes on without adding a pet twice. */
function describeStop(
  context: Context,
  checked: CheckedImport,
  { failure }: SentFile,
  { counts, message }: { counts: Counts; message: string },
): unknown {
  const next = [formatImportLine(context, checked, 'resume')];
  const isOpen = failure instanceof RequestError && failure.outcome === 'unknown';
  const isUnknown = isOpen || counts.unknown > 0;
  if (!isUnknown && failure !== undefined && counts.added === 0) return failure;
  const reason = describeReason(failure);
  // Whoever interrupted it knows why it stopped; what is open is told by the outcome.
  const isUnforeseen = isOpen && !context.signal.aborted;
  return new UserError(isUnforeseen ? 'cli_outcome_unknown' : 'cli_incomplete', message, {
    details: [...(reason ? [reason] : []), 'going on adds no pet twice'],
    next,
    outcome: isUnknown ? 'unknown' : counts.added > 0 ? 'applied' : 'not_sent',
    cause: failure,
  });
}

function describeReason(failure: unknown): string | undefined {
  if (failure instanceof RequestError)
    return `stopped at ${failure.request.method} ${failure.request.url}: ${describeFailure(failure.failure)}`;
  return failure instanceof Error ? `stopped: ${failure.message}` : undefined;
}

/** Every row is settled, but not every one is added. */
function describeEnd(
  context: Context,
  checked: CheckedImport,
  { rejected, unknown, added }: Counts,
  message: string,
): UserError | undefined {
  if (rejected + unknown === 0) return undefined;
  const code = unknown > 0 ? 'cli_outcome_unknown' : added > 0 ? 'cli_incomplete' : 'cli_rejected';
  return new UserError(code, message, {
    details: [
      ...(unknown > 0
        ? ['look for the unknown ones with petstore list before adding them again']
        : []),
    ],
    next: rejected > 0 ? [describeRejects(context, checked)] : [],
    outcome: unknown > 0 ? 'unknown' : added > 0 ? 'applied' : 'not_applied',
  });
}

/** Rejected rows go into a file of their own, to be put right and imported. */
function describeRejects(context: Context, checked: CheckedImport): string {
  const { rejects } = checked.options;
  if (rejects !== undefined) return `petstore import ${rejects}   (once they are put right)`;
  const options = { ...checked.options, rejects: `rejected.${checked.file.format}` };
  return formatImportLine(context, { ...checked, options }, 'resume');
}
