import { formatName } from '../../contract/describe-issues.ts';
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
  const rest = problemCount - problems.length;
  const count = problemCount === 1 ? '1 mistake' : `${problemCount} mistakes`;
  const what = problemCount === 0 ? 'no rows' : count;
  throw new UserError('cli_invalid_input', `${name} has ${what}; nothing was sent`, {
    details: [
      ...(isMachineFormat(terminal.format) ? [] : problems.map(describeProblem)),
      ...(rest > 0 ? [`and ${rest} more; the first ${MAX_PROBLEMS} are shown`] : []),
    ],
  });
}

/** `line 7, column 2 (categoryId): must be an int64 integer` */
function describeProblem({ line, column, field, reason }: Problem): string {
  return `line ${line}, column ${column}${field === undefined ? '' : ` (${formatName(field)})`}: ${reason}`;
}
