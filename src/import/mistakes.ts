import type { Mistake } from './row.ts';

/** How many causes are printed. */
const MAX_CAUSES = 50;
/** How many further lines of one cause are named. */
const MAX_LINES = 5;

interface Cause {
  readonly first: Mistake;
  readonly alsoIn: number[];
  count: number;
}

export type MistakeList = ReturnType<typeof createMistakeList>;

/** Gathers the mistakes of a file by their causes, few of them in memory however many there are. */
export function createMistakeList() {
  const causes = new Map<string, Cause>();
  let unlisted = 0;
  return {
    add(mistake: Mistake): void {
      const key = `${mistake.field} ${mistake.reason}`;
      const cause = causes.get(key);
      if (cause !== undefined) {
        cause.count += 1;
        if (cause.alsoIn.length < MAX_LINES) cause.alsoIn.push(mistake.line);
      } else if (causes.size === MAX_CAUSES) unlisted += 1;
      else causes.set(key, { first: mistake, alsoIn: [], count: 1 });
    },
    count: () => [...causes.values()].reduce((sum, { count }) => sum + count, unlisted),
    /** One line per cause, in the order of the file, then how many more there are. */
    describe(): string[] {
      const lines = [...causes.values()].map(describeCause);
      return unlisted === 0 ? lines : [...lines, `and ${unlisted.toLocaleString('en-US')} more`];
    },
  };
}

/** `line 7, column 2 (categoryId): "dog" is not a category number: write a whole number such as 7` */
function describeCause({ first, alsoIn, count }: Cause): string {
  const { line, column, field, reason } = first;
  const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  const name = field === undefined ? '' : ` (${field})`;
  const more = count - 1 - alsoIn.length;
  const lines = alsoIn.join(', ') + (more > 0 ? ` and ${more.toLocaleString('en-US')} more` : '');
  const others = lines === '' ? '' : ` (also in ${count > 2 ? 'lines' : 'line'} ${lines})`;
  return `${place}${name}: ${reason}${others}`;
}
