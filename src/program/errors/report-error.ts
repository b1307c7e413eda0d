import { RequestError, type RequestLine } from '../../client/request-error.ts';
import { environmentVariables } from '../../config/variables.ts';
import { messageOf, type Outcome, UserError, type UserErrorCode } from '../../errors.ts';
import { PromptClosedError } from '../../terminal/prompts/prompt.ts';
import { isMachineFormat, type Terminal } from '../../terminal/terminal.ts';
import { escapeUnsafe, showUnsafe } from '../../terminal/text/safe-text.ts';
import type { RequestTarget } from '../context/connection.ts';
import { describeRequestError } from './describe-request-error.ts';
import { type ErrorClass, exitCodes } from './exit-codes.ts';
import { OutcomeUnknownError } from './outcome-unknown-error.ts';

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
  cli_output: 'unexpected',
} as const satisfies Record<UserErrorCode, ErrorClass>;

/** An error as scripts see it: one JSON line, a superset of the service's Error. */
export interface ErrorReport {
  code: string;
  message: string;
  /** The HTTP status, when the service answered. */
  status?: number;
  class: ErrorClass;
  exitCode: number;
  environment?: string;
  request?: RequestLine;
  /** Whether the same line may succeed later. */
  retryable: boolean;
  outcome: Outcome;
  details: readonly string[];
  /** Command lines to run next. */
  next: readonly string[];
}

export interface ReportOptions {
  signal: AbortSignal;
  /** Adds the stack to what people see. */
  isDebugging: boolean;
  where: RequestTarget;
}

/** Tells the person or script what failed and returns the exit code. */
export function reportError(terminal: Terminal, error: unknown, options: ReportOptions): number {
  const report = describeError(error, options);
  terminal.writeError(isMachineFormat(terminal.format) ? formatLine(report) : formatText(report));
  if (options.isDebugging && error instanceof Error) {
    terminal.writeError(`${showLines(error.stack ?? '')}\n`);
  }
  return report.exitCode;
}

/** The one table from any error to code, family, exit code and what to do next. */
export function describeError(
  error: unknown,
  { signal, where }: Pick<ReportOptions, 'signal' | 'where'>,
): ErrorReport {
  const isTerminated = signal.aborted && signal.reason?.signal === 'SIGTERM';
  const stopped = isTerminated ? 'terminated' : 'interrupted';
  if (error instanceof OutcomeUnknownError) {
    const report = describeError(error.cause, { signal, where });
    return { ...report, next: [error.rerun] };
  }
  if (error instanceof RequestError) return describeRequest(error, where, stopped);
  if (signal.aborted || error instanceof PromptClosedError) {
    // What was stopped half-way says how far it came, and how to go on.
    const rest = error instanceof UserError && error.code === 'cli_incomplete' ? error : undefined;
    const said = rest === undefined ? '' : `: ${rest.message}`;
    return build(stopped, {
      code: `cli_${stopped}`,
      message: `${sayStopped(stopped)}${said}`,
      ...(rest && { outcome: rest.outcome, details: rest.details, next: rest.next }),
    });
  }
  if (error instanceof UserError) {
    const { code, message, outcome, details, next } = error;
    return build(userErrors[code], { code, message, outcome, details, next });
  }
  const message = messageOf(error);
  return build('unexpected', {
    code: 'cli_unexpected',
    message: `Unexpected failure: ${message}`,
    details: [`this is a bug in petstore; ${environmentVariables.debug.name}=1 shows where`],
  });
}

function describeRequest(
  error: RequestError,
  where: RequestTarget,
  stopped: 'interrupted' | 'terminated',
): ErrorReport {
  const { kind, ...described } = describeRequestError(error, where);
  return build(kind === 'interrupted' ? stopped : kind, {
    ...described,
    ...(kind === 'interrupted' ? { code: `cli_${stopped}`, message: sayStopped(stopped) } : {}),
    ...(where.target ? { environment: where.target.name } : {}),
    request: error.request,
    outcome: error.outcome,
  });
}

function sayStopped(stopped: 'interrupted' | 'terminated'): string {
  return stopped === 'terminated' ? 'Terminated' : 'Interrupted';
}

/** Fixes the order of the members, which is that of the JSON line. */
function build(
  kind: ErrorClass,
  report: Pick<ErrorReport, 'code' | 'message'> & Partial<ErrorReport>,
): ErrorReport {
  const { code, message, status, environment, request } = report;
  return {
    code,
    message,
    ...(status === undefined ? {} : { status }),
    class: kind,
    exitCode: exitCodes[kind],
    ...(environment === undefined ? {} : { environment }),
    ...(request === undefined ? {} : { request }),
    retryable: report.retryable ?? false,
    outcome: report.outcome ?? 'not_sent',
    details: report.details ?? [],
    next: report.next ?? [],
  };
}

function formatLine({ details, next, ...report }: ErrorReport): string {
  const line = { type: 'error', ...report, ...(details.length > 0 ? { details } : {}), next };
  return `${escapeUnsafe(JSON.stringify(line))}\n`;
}

/** What the service said may be in any line: nothing of it reaches the terminal raw. */
function formatText({ message, request, details, next }: ErrorReport): string {
  const about = [...(request ? [`${request.method} ${request.url}`] : []), ...details];
  const tries = next.map((line, index) => `${index === 0 ? 'Try:  ' : '      '}${line}`);
  const lines = [`Error: ${message}`, ...about.map((line) => `  ${line}`), ...tries];
  return `${lines.map(showUnsafe).join('\n')}\n`;
}

function showLines(text: string): string {
  return text.split('\n').map(showUnsafe).join('\n');
}
