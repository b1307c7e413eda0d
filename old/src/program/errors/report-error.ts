import type { ErrorLine } from '../../contract/outputs/error-line.ts';
import { isMachineFormat, type Terminal, wrapLine } from '../../terminal/terminal.ts';
import { escapeUnsafe, showUnsafe } from '../../terminal/text/safe-text.ts';
import type { Style } from '../../terminal/text/style.ts';
import { describeError, type ErrorReport, type ReportInput } from './describe-error.ts';

/** Reports to the person or script what failed and returns the exit code. @param isDebugging adds the stack. */
export async function reportError(
  terminal: Terminal,
  error: unknown,
  input: ReportInput,
  isDebugging: boolean,
): Promise<number> {
  const report = describeError(error, input);
  terminal.writeError(
    isMachineFormat(terminal.format) ? formatLine(report) : await formatText(report, terminal),
  );
  if (isDebugging && error instanceof Error) {
    const lines = (error.stack ?? '').split('\n');
    terminal.writeError(`${lines.map(showUnsafe).join('\n')}\n`);
  }
  return report.exitCode;
}

function formatLine({ details, next, ...report }: ErrorReport): string {
  const line: ErrorLine = {
    type: 'error',
    ...report,
    ...(details.length > 0 ? { details } : {}),
    next,
  };
  return `${escapeUnsafe(JSON.stringify(line))}\n`;
}

/** What the service sent may be in any line: nothing of it reaches the terminal raw. Lines to paste are never broken. */
async function formatText(report: ErrorReport, { stderr }: Terminal): Promise<string> {
  const { error, next: mark } = await createMarks(stderr.hasColor);
  const { message, details, next } = report;
  const isStopped = ['interrupted', 'terminated', 'hangup'].includes(report.class);
  const wrap = (line: string, indent = '') => wrapLine(showUnsafe(line), stderr, indent);
  const about = [...formatRequest(report), ...details];
  const tries = next.map(
    (line, index) => `${index === 0 ? 'Try:  ' : '      '}${mark(showUnsafe(line))}`,
  );
  const lines = [
    isStopped ? wrap(message) : wrap(`Error: ${message}`).replace('Error:', (word) => error(word)),
    ...about.map((line) => wrap(`  ${line}`, '  ')),
    ...tries,
  ];
  return `${lines.join('\n')}\n`;
}

/** Colors are loaded only where they are shown. */
async function createMarks(hasColor: boolean): Promise<Pick<Style, 'error' | 'next'>> {
  if (!hasColor) return { error: String, next: String };
  return (await import('../../terminal/text/style.ts')).createStyle(hasColor);
}

/** `401 unauthorized: GET https://…`, one line at most; a response that is not the contract's has no code of its own. */
export function formatRequest({ request, status, code }: ErrorReport): string[] {
  if (request === undefined) return [];
  const line = `${request.method} ${request.url}`;
  if (status === undefined) return [line];
  return [`${status}${code.startsWith('cli_') ? '' : ` ${code}`}: ${line}`];
}
