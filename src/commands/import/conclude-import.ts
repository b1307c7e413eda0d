import { describeFailure, RequestError } from '../../client/request-error.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { formatImportLine } from './format-import-line.ts';
import type { ImportPlan } from './plan-import.ts';
import type { SentImport } from './send-staged.ts';

/** Says what the import came to. @throws what ended it, or UserError when not every pet is surely added. */
export function concludeImport(context: Context, plan: ImportPlan, sent: SentImport): void {
  const { environments, terminal } = context;
  const { name, url } = environments.target();
  const { addedNow, seconds, isComplete, counts } = sent;
  const { rows } = plan.subject;
  const message = describeCounts(name, rows, counts);
  terminal.report('summary', message, {
    ...{ environment: name, url, rows, ...counts, addedNow, seconds: Number(seconds.toFixed(3)) },
    isComplete,
  });
  if (!isComplete) throw describeStop(context, plan, sent, message);
  if (counts.rejected + counts.unknown > 0) throw describeRest(context, plan, sent, message);
  // A machine format had its summary.
  if (terminal.format === 'table') terminal.notice(message);
}

function describeCounts(name: string, rows: number, counts: SentImport['counts']): string {
  const { added, rejected, unknown } = counts;
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
  const isLost = failure instanceof RequestError && failure.outcome === 'unknown';
  const isUnknown = isLost || counts.unknown > 0;
  if (!isUnknown && failure !== undefined && counts.added === 0) return failure;
  const reason = describeReason(failure);
  // Whoever interrupted it knows why it stopped.
  const isUnforeseen = isLost && !context.signal.aborted;
  return new UserError(isUnforeseen ? 'cli_outcome_unknown' : 'cli_incomplete', message, {
    details: [...(reason ? [reason] : []), 'resuming adds no pet twice'],
    next: [formatImportLine(context, plan, 'resume')],
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
function describeRest(
  context: Context,
  plan: ImportPlan,
  { counts: { rejected, unknown, added } }: SentImport,
  message: string,
): UserError {
  const next = rejected > 0 ? [describeRejects(context, plan)] : [];
  if (unknown > 0) {
    const details = ['look for the unknown ones with petstore list before adding them again'];
    return new UserError('cli_outcome_unknown', message, { details, next, outcome: 'unknown' });
  }
  return added > 0
    ? new UserError('cli_incomplete', message, { next, outcome: 'applied' })
    : new UserError('cli_rejected', message, { next, outcome: 'not_applied' });
}

/** Rejected rows go into a file of their own, to be corrected and imported. */
function describeRejects(context: Context, plan: ImportPlan): string {
  const { rejects } = plan.options;
  if (rejects !== undefined) return `petstore import ${rejects}   (once they are corrected)`;
  const options = { ...plan.options, rejects: `rejected.${plan.source.format}` };
  return formatImportLine(context, { ...plan, options }, 'resume');
}
