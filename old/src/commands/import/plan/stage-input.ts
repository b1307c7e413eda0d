import { UserError } from '../../../errors.ts';
import type { ImportInput } from '../../../import/read/open-input.ts';
import type { Draft } from '../../../import/staging/draft.ts';
import { type StagingReport, stageRows } from '../../../import/staging/stage-rows.ts';
import type { Context } from '../../../program/context/context.ts';
import { openProgress } from '../../../terminal/progress.ts';
import { isMachineFormat } from '../../../terminal/terminal.ts';
import { describeCauses, describeProblem } from './describe-problems.ts';

/** Reading that is over before anybody wonders shows no bar. */
const SHORT_MS = 500;

/** Kinds of mistakes that an error line for scripts repeats. */
const FIRST_CAUSES = 5;

/** Phase 1: reads, checks and stages every row; sends nothing. */
export async function stageInput(
  { terminal, clock, signal }: Context,
  input: ImportInput,
  draft: Pick<Draft, 'add' | 'complete'>,
): Promise<StagingReport> {
  const { size } = input;
  const progress = openProgress(terminal, clock);
  const started = performance.now();
  const onRows = (done: number) => {
    if (size === undefined || performance.now() - started <= SHORT_MS) return;
    progress.update({ label: 'Checking, in bytes', done, total: size });
  };
  const onNotice = (message: string) => terminal.notice(message);
  return await stageRows(input, draft, { signal, onNotice, onRows }).finally(progress.end);
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
  const causes = describeCauses(problems);
  // A script has had a line for each; the first few stand in the error too, which is often all that is logged.
  const said = isMachineFormat(terminal.format) ? causes.slice(0, FIRST_CAUSES) : causes;
  const saidCount = said.reduce((sum, cause) => sum + cause.count, 0);
  const rest = problemCount - saidCount;
  const count = problemCount === 1 ? '1 mistake' : `${problemCount} mistakes`;
  const what = problemCount === 0 ? 'no rows' : count;
  throw new UserError('cli_invalid_input', `${name} has ${what}; nothing was sent`, {
    details: [
      ...said.map(({ text }) => text),
      ...(rest > 0 ? [`and ${rest} more; the first ${saidCount} are shown`] : []),
    ],
  });
}
