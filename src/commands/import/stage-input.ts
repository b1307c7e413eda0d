import { UserError } from '../../errors.ts';
import type { ImportInput } from '../../import/read/open-input.ts';
import type { Problem } from '../../import/read/row.ts';
import type { Draft } from '../../import/staging/draft.ts';
import { MAX_PROBLEMS, type StagingReport, stageRows } from '../../import/staging/stage-rows.ts';
import type { Context } from '../../program/context/context.ts';
import { openProgress } from '../../terminal/progress.ts';
import { isMachineFormat } from '../../terminal/terminal.ts';

/** Reading that is over before anybody wonders shows no bar. */
const SHORT_MS = 500;

/** Phase 1: reads, checks and stages every row; sends nothing. */
export async function stageInput(
  { terminal, clock, signal }: Context,
  input: ImportInput,
  draft: Draft,
): Promise<StagingReport> {
  const { size } = input;
  const progress = openProgress(terminal, clock);
  const started = performance.now();
  const onRow = (done: number) => {
    if (size === undefined || performance.now() - started <= SHORT_MS) return;
    progress.update({ label: 'Checking, in bytes', done, total: size });
  };
  const onNotice = (message: string) => terminal.notice(message);
  return await stageRows(input, draft, { signal, onNotice, onRow }).finally(progress.end);
}

/** @throws UserError `cli_invalid_input` with every problem at once. */
export function refuseProblems(context: Context, name: string, report: StagingReport): void {
  if (report.problemCount > 0) throw describeProblems(context, name, report);
  if (report.rows > 0) return;
  throw new UserError('cli_invalid_input', `${name} has no rows; nothing was sent`);
}

function describeProblems(
  { terminal }: Context,
  name: string,
  { problems, problemCount }: StagingReport,
): UserError {
  for (const problem of problems)
    terminal.report('problem', describeProblem(problem), { ...problem });
  const rest = problemCount - problems.length;
  const details = isMachineFormat(terminal.format) ? [] : problems.map(describeProblem);
  const count = problemCount === 1 ? '1 mistake' : `${problemCount} mistakes`;
  return new UserError('cli_invalid_input', `${name} has ${count}; nothing was sent`, {
    details:
      rest > 0 ? [...details, `and ${rest} more; the first ${MAX_PROBLEMS} are shown`] : details,
  });
}

/** `line 7, column 2 (categoryId): must be an int64 integer` */
function describeProblem({ line, column, field, reason }: Problem): string {
  return `line ${line}, column ${column}${field === undefined ? '' : ` (${field})`}: ${reason}`;
}
