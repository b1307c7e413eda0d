import { formatName } from '../../contract/describe-issues.ts';
import { UserError } from '../../errors.ts';
import type { ImportInput } from '../../import/read/open-input.ts';
import type { Problem } from '../../import/read/row.ts';
import type { Draft } from '../../import/staging/draft.ts';
import { type StagingReport, stageRows } from '../../import/staging/stage-rows.ts';
import type { Context } from '../../program/context/context.ts';
import { openProgress } from '../../terminal/progress.ts';
import { isMachineFormat } from '../../terminal/terminal.ts';

/** Reading that is over before anybody wonders shows no bar. */
const SHORT_MS = 500;

/** Mistakes that an error line for scripts repeats. */
const FIRST_PROBLEMS = 5;

/** Phase 1: reads, checks and stages every row; sends nothing. */
export async function stageInput(
  { terminal, clock, signal }: Context,
  input: ImportInput,
  draft: Pick<Draft, 'add' | 'complete'>,
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
export function refuseProblems(
  { terminal }: Context,
  name: string,
  { rows, problems, problemCount }: StagingReport,
): void {
  if (problemCount === 0 && rows > 0) return;
  for (const problem of problems)
    terminal.report('problem', describeProblem(problem), { ...problem });
  // A script has had a line for each; the first few stand in the error too, which is often all that is logged.
  const said = isMachineFormat(terminal.format) ? problems.slice(0, FIRST_PROBLEMS) : problems;
  const rest = problemCount - said.length;
  const count = problemCount === 1 ? '1 mistake' : `${problemCount} mistakes`;
  const what = problemCount === 0 ? 'no rows' : count;
  throw new UserError('cli_invalid_input', `${name} has ${what}; nothing was sent`, {
    details: [
      ...said.map(describeProblem),
      ...(rest > 0 ? [`and ${rest} more; the first ${said.length} are shown`] : []),
    ],
  });
}

/** `line 7, column 2 (categoryId): must be an int64 integer` */
function describeProblem({ line, column, field, reason }: Problem): string {
  return `line ${line}, column ${column}${field === undefined ? '' : ` (${formatName(field)})`}: ${reason}`;
}
