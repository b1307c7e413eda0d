import { RequestError } from '../../client/request-error.ts';
import { environmentVariables } from '../../config/variables.ts';
import type { ErrorClass, ErrorLine } from '../../contract/outputs/error-line.ts';
import { messageOf, UserError, type UserErrorCode } from '../../errors.ts';
import { PromptClosedError } from '../../terminal/prompts/prompt.ts';
import type { RequestTarget } from '../context/connection.ts';
import { describeRequestError } from './describe-request-error.ts';

/** The families of failure and the exit code of each, as `petstore help exit-codes` lists them. */
export const exitCodes = {
  unexpected: 1,
  usage: 2,
  refused: 3,
  auth: 4,
  not_found: 5,
  rejected: 6,
  service: 7,
  unreachable: 8,
  unknown_outcome: 9,
  incomplete: 10,
  hangup: 129,
  interrupted: 130,
  terminated: 143,
} as const satisfies Record<ErrorClass, number>;

const userErrors = {
  cli_usage: 'usage',
  cli_invalid_input: 'usage',
  cli_invalid_config: 'usage',
  cli_unknown_environment: 'usage',
  cli_no_url: 'usage',
  cli_file: 'usage',
  cli_database: 'usage',
  cli_listen: 'usage',
  cli_input_required: 'refused',
  cli_confirmation_required: 'refused',
  cli_declined: 'refused',
  cli_no_key: 'auth',
  cli_key_rejected: 'auth',
  cli_key_read_only: 'auth',
  cli_keychain_locked: 'auth',
  cli_keychain_unavailable: 'auth',
  cli_keychain_library_missing: 'auth',
  cli_keychain_timeout: 'auth',
  cli_key_file_unsafe: 'auth',
  cli_not_found: 'not_found',
  cli_incomplete: 'incomplete',
  cli_import_exists: 'refused',
  cli_rejected: 'rejected',
  cli_outcome_unknown: 'unknown_outcome',
  cli_pet_differs: 'unexpected',
  cli_output: 'unexpected',
} as const satisfies Record<UserErrorCode, ErrorClass>;

/** An error as scripts see it, before it becomes a line. */
export type ErrorReport = Omit<ErrorLine, 'type' | 'details'> &
  Required<Pick<ErrorLine, 'details'>>;

/** What is known of an error; the rest of its report is as for one that nothing was sent for. */
export type Description = Pick<ErrorReport, 'code' | 'message' | 'class'> & Partial<ErrorReport>;

/** What the run knows, besides the error itself. */
export interface ReportInput {
  signal: AbortSignal;
  requestTarget: RequestTarget;
}

/** A prompt is left by Ctrl-C without any signal. */
function findStopClass({ aborted, reason }: AbortSignal) {
  if (aborted && reason?.signal === 'SIGTERM') return 'terminated';
  return aborted && reason?.signal === 'SIGHUP' ? 'hangup' : 'interrupted';
}

/** The one table from any error to code, family, exit code and what to do next. */
export function describeError(error: unknown, input: ReportInput): ErrorReport {
  const description = describe(error, input);
  const { code, message, status, environment, request } = description;
  // The order of the members is that of the JSON line.
  return {
    code,
    message,
    ...(status !== undefined && { status }),
    class: description.class,
    exitCode: exitCodes[description.class],
    ...(environment !== undefined && { environment }),
    ...(request !== undefined && { request }),
    retryable: description.retryable ?? false,
    outcome: description.outcome ?? 'not_sent',
    details: description.details ?? [],
    next: description.next ?? [],
  };
}

function describe(error: unknown, { signal, requestTarget }: ReportInput): Description {
  const stopped = findStopClass(signal);
  const stop = { code: `cli_${stopped}`, class: stopped } as const;
  if (error instanceof RequestError) return describeRequestError(error, requestTarget, stop);
  if (error instanceof PromptClosedError)
    return { ...stop, message: error.message, retryable: true, next: [...error.next] };
  if (signal.aborted) {
    // What was stopped half-way says how far it came, and how to go on.
    if (!(error instanceof UserError) || error.code !== 'cli_incomplete')
      return { ...stop, message: 'Stopped.', retryable: true };
    const { message, outcome, details, next } = error;
    return { ...stop, message: `Stopped: ${message}`, outcome, details, next };
  }
  if (error instanceof UserError) {
    const { code, message, outcome, details, next } = error;
    return { class: userErrors[code], code, message, outcome, details, next };
  }
  const { recovery } = requestTarget;
  return {
    class: 'unexpected',
    code: 'cli_unexpected',
    message: `Unexpected failure: ${messageOf(error)}`,
    details: [`this is a bug in petstore; ${environmentVariables.debug.name}=1 shows where`],
    // Nobody knows how far the write came.
    ...(recovery && { outcome: 'unknown', next: [recovery.lookUp] }),
  };
}
