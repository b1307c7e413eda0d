import { formatName } from '../../../contract/describe-issues.ts';
import type { Problem } from '../../../import/read/row.ts';

/** `line 7, column 2 (categoryId): "dog" is not a category number: …` */
export function describeProblem({ line, column, field, reason }: Problem): string {
  return `line ${line}, column ${column}${field === undefined ? '' : ` (${formatName(field)})`}: ${reason}`;
}

/** A line for each cause, with all the lines of the file it is in; in the order of the file. */
export function describeCauses(problems: readonly Problem[]): { text: string; count: number }[] {
  const causes = new Map<string, [Problem, ...Problem[]]>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.field, problem.reason]);
    const same = causes.get(key);
    if (same === undefined) causes.set(key, [problem]);
    else same.push(problem);
  }
  return [...causes.values()].map((same) => ({ text: describeCause(same), count: same.length }));
}

function describeCause([first, ...others]: readonly [Problem, ...Problem[]]): string {
  const text = describeProblem(first);
  return others.length === 0
    ? text
    : `${text} (also in ${formatLines(others.map(({ line }) => line))})`;
}

/** `line 4`, or `lines 4, 7 to 9, 12`. */
function formatLines(lines: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last !== undefined && line <= last.to + 1) last.to = line;
    else runs.push({ from: line, to: line });
  }
  const shown = runs.map(({ from, to }) =>
    from === to ? `${from}` : `${from}${to === from + 1 ? ',' : ' to'} ${to}`,
  );
  return `${shown.length === 1 && runs[0]?.from === runs[0]?.to ? 'line' : 'lines'} ${shown.join(', ')}`;
}
