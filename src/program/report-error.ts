import { Chalk } from 'chalk';
import { createRedactor } from '../client/request.ts';
import { exitCodes } from '../errors.ts';
import { formatNextLines } from '../terminal/command-line.ts';
import { showUnsafe } from '../terminal/safe-text.ts';
import { fitWords, formatJsonLine, type Terminal } from '../terminal/terminal.ts';
import type { Context } from './context.ts';
import { describeError, type Report } from './describe-error.ts';

type PrintedReport = Omit<Report, 'try'> & { readonly try: readonly string[] };

/** Writes an error to stderr, in words or as a JSON line. Returns the exit code. */
export function reportError(context: Context, error: unknown): number {
  const { terminal, variables, found } = context;
  const report = describeError(error, context);
  const next = formatNextLines(report.try);
  const stack = variables.PETSTORE_DEBUG ? [formatStack(error)] : [];
  const full = {
    ...report,
    details: [...report.details, ...next.words, ...stack],
    try: next.lines,
  };
  const text = terminal.hasJsonErrors ? formatJsonLine(full) : formatWords(terminal, full);
  terminal.writeError(createRedactor(found.key?.text)(redactSecrets(text)));
  return report.exitCode;
}

function formatStack(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\nCaused by: ${formatStack(error.cause)}`;
  return `${error.stack}${cause}`;
}

function formatWords({ stderr }: Terminal, report: PrintedReport): string {
  const chalk = new Chalk({ level: stderr.hasColor ? 1 : 0 });
  const details = report.details.flatMap((text) => text.split('\n'));
  const lines = [
    // To whoever stopped it, that is not an error.
    report.code === 'cli_declined' || report.exitCode >= exitCodes.cli_hangup
      ? fitWords(report.message, stderr)
      : `${chalk.red('Error:')} ${fitWords(report.message, stderr, '       ')}`,
    ...details.map((line) => `  ${fitWords(line, stderr, '  ')}`),
    // Never wrapped: it is there to be pasted.
    ...report.try.map(
      (line, index) => `${index === 0 ? 'Try:' : '    '}  ${chalk.cyan(showUnsafe(line))}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** A key, or a URL with a password, that was typed in the wrong place is not repeated. Our own examples say `password`. */
function redactSecrets(text: string): string {
  return text
    .replace(/pst_\w{8,}/g, 'pst_…')
    .replace(/(\w:\/\/[^\s/:@]*):(?!<?password>?@)[^\s"]*@/g, '$1:…@');
}
