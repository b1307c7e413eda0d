import { describeFailure, RequestError } from '../../client/request-error.ts';
import { UserError } from '../../errors.ts';
import type { Counts } from '../../import/staging/outcome.ts';
import type { Context } from '../../program/context/context.ts';
import { formatImportLine } from './format-import-line.ts';
import type { ImportPlan } from './import-plan.ts';
import type { SentImport } from './send-staged.ts';

/** Says what the import came to. @throws what ended it, or UserError when not every pet is surely added. */
export function concludeImport(context: Context, plan: ImportPlan, sent: SentImport): void {
  const { environments, terminal } = context;
  const { name, url } = environments.target();
  const { addedNow, seconds, isComplete } = sent;
  const counts = { rows: plan.subject.rows, ...sent.counts };
  const message = describeCounts(context, counts);
  terminal.report('summary', message, {
    ...{ environment: name, url, ...counts, addedNow, seconds: Number(seconds.toFixed(3)) },
    isComplete,
  });
  if (!isComplete) throw describeStop(context, plan, sent, message);
  const failure = describeEnd(context, plan, counts, message);
  if (failure !== undefined) throw failure;
  // A machine format had its summary.
  if (terminal.format === 'table') terminal.notice(message);
}

interface RowCounts extends Counts {
  rows: number;
}

function describeCounts({ environments }: Context, counts: RowCounts): string {
  const { rows, added, rejected, unknown } = counts;
  const { name } = environments.target();
  if (added === rows) return `Added ${rows} ${rows === 1 ? 'pet' : 'pets'} to ${name}.`;
  const rest = [
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(unknown > 0 ? [`${unknown} with unknown outcome`] : []),
  ];
  return [`${added} of ${rows} pets added to ${name}`, ...rest].join(', ');
}

/** The import ended early: how far it came, why, and the line that resumes it without adding a pet twice. */
function describeStop(
  context: Context,
  plan: ImportPlan,
  { failure, counts }: SentImport,
  message: string,
): unknown {
  const next = [formatImportLine(context, plan, 'resume')];
  const isLost = failure instanceof RequestError && failure.outcome === 'unknown';
  const isUnknown = isLost || counts.unknown > 0;
  if (!isUnknown && failure !== undefined && counts.added === 0) return failure;
  const reason = describeReason(failure);
  // Whoever interrupted it knows why it stopped.
  const isUnforeseen = isLost && !context.signal.aborted;
  return new UserError(isUnforeseen ? 'cli_outcome_unknown' : 'cli_incomplete', message, {
    details: [...(reason ? [reason] : []), 'resuming adds no pet twice'],
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

/** Every row has its outcome, but not every one is added. */
function describeEnd(
  context: Context,
  plan: ImportPlan,
  { rejected, unknown, added }: Counts,
  message: string,
): UserError | undefined {
  if (rejected + unknown === 0) return undefined;
  const code = unknown > 0 ? 'cli_outcome_unknown' : added > 0 ? 'cli_incomplete' : 'cli_rejected';
  return new UserError(code, message, {
    details:
      unknown > 0 ? ['look for the unknown ones with petstore list before adding them again'] : [],
    next: rejected > 0 ? [describeRejects(context, plan)] : [],
    outcome: unknown > 0 ? 'unknown' : added > 0 ? 'applied' : 'not_applied',
  });
}

/** Rejected rows go into a file of their own, to be corrected and imported. */
function describeRejects(context: Context, plan: ImportPlan): string {
  const { rejects } = plan.options;
  if (rejects !== undefined) return `petstore import ${rejects}   (once they are corrected)`;
  const options = { ...plan.options, rejects: `rejected.${plan.source.format}` };
  return formatImportLine(context, { ...plan, options }, 'resume');
}
