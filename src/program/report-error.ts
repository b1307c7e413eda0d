import { Chalk } from 'chalk';
import { RequestError, type RequestLine } from '../client/request-error.ts';
import { exitCodes, type LocalCode, messageOf, type Outcome, UserError } from '../errors.ts';
import { showUnsafe } from '../terminal/safe-text.ts';
import { formatJsonLine, type Terminal, wrapWords } from '../terminal/terminal.ts';
import { AdvisedError } from './advised-error.ts';
import type { Context } from './context.ts';
import { describeRequestError } from './describe-request-error.ts';

/** An error in words and for scripts. */
export interface Report {
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
  readonly environment?: string | undefined;
  readonly request?: (RequestLine & { readonly status?: number | undefined }) | undefined;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly details: readonly string[];
  readonly try: readonly string[];
}

/** Writes an error to stderr, in words or as a JSON line. Returns the exit code. */
export function reportError(context: Context, error: unknown): number {
  const { terminal, variables } = context;
  const { details, ...report } = describeError(error, context);
  const isDebugging = Boolean(variables.PETSTORE_DEBUG) && error instanceof Error;
  const full = { ...report, details: isDebugging ? [...details, String(error.stack)] : details };
  const text = terminal.hasJsonErrors ? formatLine(full) : formatWords(terminal, full);
  terminal.writeError(redactKeys(text));
  return report.exitCode;
}

/** The one table from anything that was thrown to a report. */
export function describeError(error: unknown, context: Context): Report {
  if (error instanceof AdvisedError) return describeAdvised(error, context);
  if (context.signal.reason instanceof UserError) return describeStop(context.signal.reason, error);
  if (error instanceof RequestError) return describeRequestError(error, context);
  if (error instanceof UserError) {
    const { code, message, outcome, details, try: next } = error;
    return { ...describe(code, message), outcome, details, try: next };
  }
  return {
    ...describe('cli_unexpected', `Something unexpected happened: ${messageOf(error)}.`),
    details: ['This is a bug in petstore; PETSTORE_DEBUG=1 shows where.'],
  };
}

/** What the command advises stands behind what mends the cause; after an unknown outcome nothing else is safe. */
function describeAdvised({ cause, line }: AdvisedError, context: Context): Report {
  const report = describeError(cause, context);
  return { ...report, try: report.outcome === 'unknown' ? [line] : [...report.try, line] };
}

/** A write that was in flight may have been applied; a command that says how far it came keeps its words. */
function describeStop({ code, message }: UserError, error: unknown): Report {
  const isKnown = error instanceof RequestError || error instanceof UserError;
  const outcome = isKnown ? error.outcome : 'not_sent';
  const words = error instanceof UserError ? error : { message, details: [], try: [] };
  const unknown = 'Stopped; the pet may or may not have been added.';
  return {
    ...describe(code, outcome === 'unknown' ? unknown : words.message),
    ...{ outcome, details: words.details, try: words.try },
  };
}

function describe(code: LocalCode, message: string): Report {
  const exitCode = exitCodes[code];
  return { code, message, exitCode, outcome: 'not_sent', retryable: false, details: [], try: [] };
}

function formatLine({ code, message, exitCode, ...rest }: Report): string {
  return formatJsonLine({ code, message, exitCode, ...rest });
}

function formatWords({ stderr }: Terminal, report: Report): string {
  const chalk = new Chalk({ level: stderr.hasColor ? 1 : 0 });
  const width = stderr.isTerminal ? stderr.width : Number.POSITIVE_INFINITY;
  const wrap = (text: string, indent: string) =>
    wrapWords(showUnsafe(text), width - indent.length).replaceAll('\n', `\n${indent}`);
  const details = report.details.flatMap((text) => text.split('\n'));
  const lines = [
    // To whoever stopped it, that is not an error.
    report.code === 'cli_declined' || report.exitCode >= exitCodes.cli_hangup
      ? wrap(report.message, '')
      : `${chalk.red('Error:')} ${wrap(report.message, '       ')}`,
    ...details.map((line) => `  ${wrap(line, '  ')}`),
    // Never wrapped: it is there to be pasted.
    ...report.try.map(
      (line, index) => `${index === 0 ? 'Try:' : '    '}  ${chalk.cyan(showUnsafe(line))}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** A key that was typed in the wrong place is not repeated. */
function redactKeys(text: string): string {
  return text.replace(/pst_\w{8,}/g, 'pst_…');
}
