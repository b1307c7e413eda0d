import { UserError } from '../../errors.ts';
import type { ImportFile } from '../../import/import-file.ts';
import { checkFile, type FileCheck, MAX_PROBLEMS } from '../../import/read/check-file.ts';
import type { Problem } from '../../import/read/row.ts';
import type { Context } from '../../program/context/context.ts';
import { openProgress } from '../../terminal/progress.ts';
import { isMachineFormat } from '../../terminal/terminal.ts';

/** A check that is over before anybody wonders shows no bar. */
const SHORT_MS = 500;

/** Phase 1: reads every row, sends nothing. @throws UserError `cli_invalid_input` with every problem at once. */
export async function checkInput(context: Context, file: ImportFile): Promise<FileCheck> {
  const { terminal, clock, signal } = context;
  const progress = openProgress(terminal, { clock });
  const started = performance.now();
  const show = (done: number) => {
    const isLong = performance.now() - started > SHORT_MS;
    if (isLong) progress.update({ label: 'Checking, in bytes', done, total: file.size });
  };
  const check = await checkFile(file, {
    signal,
    onNotice: (message) => terminal.notice(message),
    onRow: show,
  }).finally(progress.end);
  if (check.problemCount > 0) throw refuse(context, file, check);
  if (check.rows === 0) {
    throw new UserError('cli_invalid_input', `${file.name} holds no rows; nothing was sent`);
  }
  return check;
}

function refuse({ terminal }: Context, file: ImportFile, check: FileCheck): UserError {
  const { problems, problemCount } = check;
  for (const problem of problems)
    terminal.report('problem', describeProblem(problem), { ...problem });
  const rest = problemCount - problems.length;
  const details = isMachineFormat(terminal.format) ? [] : problems.map(describeProblem);
  const count = problemCount === 1 ? '1 mistake' : `${problemCount} mistakes`;
  return new UserError('cli_invalid_input', `${file.name} has ${count}; nothing was sent`, {
    details:
      rest > 0 ? [...details, `and ${rest} more; the first ${MAX_PROBLEMS} are shown`] : details,
  });
}

/** `line 7, column 2 (categoryId): must be an int64 integer` */
function describeProblem({ line, column, field, reason }: Problem): string {
  return `line ${line}, column ${column}${field === undefined ? '' : ` (${field})`}: ${reason}`;
}
