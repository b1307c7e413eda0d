import { RequestError } from '../client/request-error.ts';
import { exitCodes, type LocalCode, messageOf, UserError } from '../errors.ts';
import { AdvisedError } from './advised-error.ts';
import type { Context } from './context.ts';
import { describeRequestError } from './describe-request-error.ts';
import type { Report } from './report.ts';

/** The one table from anything that was thrown to a report. */
export function describeError(error: unknown, context: Context): Report {
  if (error instanceof AdvisedError) return describeAdvised(error, context);
  if (context.signal.reason instanceof UserError)
    return describeStop(context.signal.reason, error, context);
  if (error instanceof RequestError) return describeRequestError(error, context);
  if (error instanceof UserError) {
    const { outcome, details, try: next } = error;
    return { ...describe(error, context), outcome, details, try: next };
  }
  const message = `Something unexpected happened: ${messageOf(error)}.`;
  return {
    ...describe({ code: 'cli_unexpected', message }, context),
    details: ['This is a bug in petstore; PETSTORE_DEBUG=1 shows where.'],
  };
}

/** What the command advises stands behind what mends the cause; after an unknown outcome nothing else is safe. */
function describeAdvised({ cause, line }: AdvisedError, context: Context): Report {
  const report = describeError(cause, context);
  return { ...report, try: report.outcome === 'unknown' ? [line] : [...report.try, line] };
}

/** A write that was in flight may have been applied; a command that says how far it came keeps its words. */
function describeStop({ code, message }: UserError, error: unknown, context: Context): Report {
  if (error instanceof UserError) {
    const { outcome, details, try: next } = error;
    return { ...describe({ code, message: error.message }, context), outcome, details, try: next };
  }
  if (!(error instanceof RequestError) || error.outcome !== 'unknown')
    return describe({ code, message }, context);
  const { request, outcome } = error;
  const unknown = 'Stopped; the pet may or may not have been added.';
  return {
    ...describe({ code, message: unknown }, context),
    ...{ request, outcome, details: [`${request.method} ${request.url}`, `request ${request.id}`] },
  };
}

function describe(
  { code, message }: { code: LocalCode; message: string },
  context: Context,
): Report {
  return {
    ...{ code, message, exitCode: exitCodes[code] },
    environment: context.found.environment?.name,
    ...{ outcome: 'not_sent', retryable: false, details: [], try: [] },
  };
}
