import { describeFailure, RequestError } from '../../../client/request-error.ts';
import { UserError } from '../../../errors.ts';
import type { Context } from '../../../program/context/context.ts';
import { formatImportLine, formatRejectsLine } from '../format-import-line.ts';
import type { ImportPlan } from '../plan/plan-import.ts';
import type { SentImport } from './send-staged.ts';

/** Says what the import came to. @throws what ended it, or UserError when not every pet is surely added. */
export function concludeImport(context: Context, plan: ImportPlan, sent: SentImport): void {
  const { environments, terminal } = context;
  const { name, url } = environments.target();
  const { addedNow, seconds, isComplete, counts, failure } = sent;
  const { rows } = plan.subject;
  const message = describeCounts(name, rows, counts);
  terminal.report('summary', message, {
    ...{ environment: name, url, rows, ...counts, addedNow, seconds: Number(seconds.toFixed(3)) },
    isComplete,
  });
  if (!isComplete || failure !== undefined) throw describeStop(context, plan, sent, message);
  if (counts.rejected + counts.unknown > 0) throw describeRest(context, plan, sent, message);
  if (sent.differences.rows > 0) throw describeDifferent(name, sent.differences);
  // A machine format had its summary.
  if (terminal.format === 'table') terminal.notice(message);
}

function describeDifferent(name: string, { rows, first }: SentImport['differences']): UserError {
  const pets = rows === 1 ? '1 pet is' : `${rows} pets are`;
  return new UserError('cli_pet_differs', `${pets} not in ${name} as sent`, {
    details: [
      ...first,
      ...(rows > first.length ? [`and ${rows - first.length} more`] : []),
      'all of them were added: do not add them again',
    ],
    outcome: 'applied',
  });
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

/** The import ended early or could not be finished: how far it came, why, and the line that resumes it without adding a pet twice. */
function describeStop(
  context: Context,
  plan: ImportPlan,
  sent: SentImport,
  message: string,
): unknown {
  const { failure, counts, unstored, isComplete } = sent;
  const isLost = failure instanceof RequestError && failure.outcome === 'unknown';
  const isUnknown = isLost || counts.unknown + unstored > 0;
  const isNothingDone =
    counts.added === 0 && (counts.rejected === 0 || failure instanceof RequestError);
  if (!isComplete && !isUnknown && failure !== undefined && isNothingDone) return failure;
  const notAdded = counts.rejected > 0 ? 'not_applied' : 'not_sent';
  return new UserError(chooseCode(context, sent, isLost), message, {
    details: [...describeReason(sent), 'resuming adds no pet twice'],
    next: [formatImportLine(context, plan, 'resume')],
    outcome: isUnknown ? 'unknown' : counts.added > 0 ? 'applied' : notAdded,
    cause: failure,
  });
}

function chooseCode({ signal }: Context, { failure, isComplete }: SentImport, isLost: boolean) {
  // Whoever interrupted it knows why it stopped.
  if (signal.aborted) return 'cli_incomplete';
  if (isLost) return 'cli_outcome_unknown';
  const isOutput = failure instanceof UserError && failure.code === 'cli_output';
  return isComplete || isOutput ? 'cli_output' : 'cli_incomplete';
}

function describeReason({ failure, isComplete, unstored }: SentImport): string[] {
  const lost = unstored > 0 ? [`the outcomes of ${unstored} more rows could not be stored`] : [];
  if (failure instanceof RequestError) {
    const { method, url } = failure.request;
    return [`stopped at ${method} ${url}: ${describeFailure(failure.failure)}`, ...lost];
  }
  if (!(failure instanceof Error)) return lost;
  return [isComplete ? failure.message : `stopped: ${failure.message}`, ...lost];
}

/** Every row has its outcome, but not every one is added. */
function describeRest(
  context: Context,
  plan: ImportPlan,
  { counts: { rejected, unknown, added } }: SentImport,
  message: string,
): UserError {
  const { details, next } = rejected > 0 ? describeRejects(context, plan) : nothingMore;
  if (unknown > 0) {
    const search = 'look for the unknown ones with petstore list before adding them again';
    const all = { details: [search, ...details], next };
    return new UserError('cli_outcome_unknown', message, { ...all, outcome: 'unknown' });
  }
  return added > 0
    ? new UserError('cli_incomplete', message, { details, next, outcome: 'applied' })
    : new UserError('cli_rejected', message, { details, next, outcome: 'not_applied' });
}

const nothingMore = { details: [], next: [] };

/** Rejected rows go into a file of their own, to be corrected and imported. */
function describeRejects(context: Context, plan: ImportPlan) {
  const { rejects } = plan.options;
  if (rejects !== undefined) {
    const details = ['correct the rejected rows first'];
    return { details, next: [formatRejectsLine(context, rejects)] };
  }
  const options = { ...plan.options, rejects: `rejected.${plan.source.format}` };
  return { details: [], next: [formatImportLine(context, { ...plan, options }, 'resume')] };
}
