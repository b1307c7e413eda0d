import { type Outcome, UserError, type UserErrorCode } from '../errors.ts';
import { PromptClosedError } from '../terminal/prompt.ts';
import { isMachineFormat, type Terminal } from '../terminal/terminal.ts';

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
  interrupted: 130,
  terminated: 143,
} as const;
export type ErrorClass = keyof typeof exitCodes;

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
  cli_output: 'unexpected',
} as const satisfies Record<UserErrorCode, ErrorClass>;

/** An error as scripts see it: one JSON line, a superset of the service's Error. */
export interface ErrorReport {
  code: string;
  message: string;
  class: ErrorClass;
  exitCode: number;
  retryable: boolean;
  outcome: Outcome;
  details: readonly string[];
  next: readonly string[];
}

export interface ReportOptions {
  signal: AbortSignal;
  /** Adds the stack to what people see. */
  isDebugging: boolean;
}

/** Tells the person or script what failed and returns the exit code. */
export function reportError(terminal: Terminal, error: unknown, options: ReportOptions): number {
  const report = describeError(error, options.signal);
  const text = isMachineFormat(terminal.format) ? formatLine(report) : formatText(report);
  terminal.writeError(text);
  if (options.isDebugging && error instanceof Error) terminal.writeError(`${error.stack}\n`);
  return report.exitCode;
}

/** The one table from any error to code, family, exit code and what to do next. */
export function describeError(error: unknown, signal: AbortSignal): ErrorReport {
  if (signal.aborted || error instanceof PromptClosedError) return describeInterruption(signal);
  if (error instanceof UserError) {
    const { code, message, outcome, details, next } = error;
    return build(userErrors[code], { code, message, outcome, details, next });
  }
  const message = error instanceof Error ? error.message : String(error);
  return build('unexpected', {
    code: 'cli_unexpected',
    message: `Unexpected failure: ${message}`,
    details: ['this is a bug in petstore; PETSTORE_DEBUG=1 shows where'],
  });
}

function describeInterruption(signal: AbortSignal): ErrorReport {
  const isTerminated = signal.aborted && signal.reason?.signal === 'SIGTERM';
  return isTerminated
    ? build('terminated', { code: 'cli_terminated', message: 'Terminated' })
    : build('interrupted', { code: 'cli_interrupted', message: 'Interrupted' });
}

function build(
  kind: ErrorClass,
  report: Pick<ErrorReport, 'code' | 'message'> & Partial<ErrorReport>,
): ErrorReport {
  const {
    code,
    message,
    retryable = false,
    outcome = 'not_sent',
    details = [],
    next = [],
  } = report;
  return {
    code,
    message,
    class: kind,
    exitCode: exitCodes[kind],
    retryable,
    outcome,
    details,
    next,
  };
}

function formatLine({ details, ...report }: ErrorReport): string {
  return `${JSON.stringify({ type: 'error', ...report, ...(details.length > 0 ? { details } : {}) })}\n`;
}

function formatText({ message, details, next }: ErrorReport): string {
  const tries = next.map((line, index) => `${index === 0 ? 'Try:  ' : '      '}${line}`);
  return [`Error: ${message}`, ...details.map((line) => `  ${line}`), ...tries, ''].join('\n');
}
