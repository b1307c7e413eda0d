import { formatNumber } from '../terminal/counts.ts';
import type { Mistake } from './row.ts';

const MAX_CAUSES = 50;
/** How many further lines of one cause are named. */
const MAX_LINES = 5;

/** One line per cause, in the order of the file, then how many more mistakes there are. */
export function listMistakes(mistakes: readonly Mistake[]): string[] {
  const causes = new Map<string, Mistake[]>();
  for (const mistake of mistakes) {
    const key = `${mistake.field} ${mistake.reason}`;
    const cause = causes.get(key) ?? [];
    cause.push(mistake);
    causes.set(key, cause);
  }
  const shown = [...causes.values()].slice(0, MAX_CAUSES);
  const unlisted = mistakes.length - shown.reduce((sum, cause) => sum + cause.length, 0);
  const lines = shown.map(describeCause);
  return unlisted === 0 ? lines : [...lines, `and ${formatNumber(unlisted)} more`];
}

/** `line 7, column B (Category): "dog" is not a category number: write a whole number such as 7` */
function describeCause([first, ...others]: readonly Mistake[]): string {
  if (first === undefined) return '';
  const { line, column, field, reason } = first;
  const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  const name = field === undefined ? '' : ` (${field})`;
  const lines = others.slice(0, MAX_LINES).map((other) => other.line);
  const more = others.length - lines.length;
  const list = lines.join(', ') + (more > 0 ? ` and ${formatNumber(more)} more` : '');
  const also = list === '' ? '' : ` (also in ${others.length > 1 ? 'lines' : 'line'} ${list})`;
  // A value comes behind a colon; "is empty" goes on with the sentence.
  return `${place}${name}${/^["#\d-]|^the formula/.test(reason) ? ':' : ''} ${reason}${also}`;
}
