import { formatName } from '../../contract/describe-issues.ts';
import { NewPet } from '../../contract/pet.ts';
import { didYouMean } from '../../errors.ts';
import type { Problem } from './row.ts';

const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

const known = [...Object.keys(NewPet.entries), 'id'];

/** Names in a file, without case, spaces, underscores and dashes, and the columns they mean. */
const spellings = new Map([
  ...known.map((name) => [foldName(name), name] as const),
  ['category', 'categoryId'],
  ['categorynumber', 'categoryId'],
]);

function foldName(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}

/**
 * The delimiter of a CSV file by its header: the one that cuts it into the most columns known here, or else
 * into the most columns. Spreadsheets write semicolons where the comma is the decimal sign. A line such as `sep=;` is cut
 * by the delimiter that it names.
 */
export function detectDelimiter(header: string): Delimiter {
  const scored = delimiters.map((delimiter) => {
    const cells = header.split(delimiter);
    const found = cells.filter((cell) => spellings.has(foldName(cell.replaceAll('"', ''))));
    return { delimiter, score: found.length * 1000 + cells.length };
  });
  return scored.reduce((best, one) => (one.score > best.score ? one : best)).delimiter;
}

/** The delimiter that a first line such as `sep=;` tells Excel; it is not a line of names. */
export function findSeparatorLine(line: string): Delimiter | undefined {
  const [, said] = /^"?sep=(.)"?\s*$/i.exec(line) ?? [];
  return delimiters.find((delimiter) => delimiter === said);
}

/** The line that names the columns, as people look for it: blank lines and `sep=;` may be in front of it. */
export function describeHeader(line: number): string {
  return line === 1 ? 'the first line' : `line ${line}`;
}

/** What the names in a file's header mean: the fields in their order, empty for a column without a name. */
export interface CsvColumns {
  fields: readonly string[];
  /** All that is wrong with the names, each cause once. */
  problems: readonly ColumnProblem[];
}

/** Whoever read the names knows their line. */
type ColumnProblem = Omit<Problem, 'line'>;

/** `header` is how messages call their line. */
export function readColumns(names: readonly string[], header: string): CsvColumns {
  const fields = names.map((name) => spellings.get(foldName(name)) ?? name.trim());
  if (!fields.some(isNear)) return { fields, problems: [refuseHeader(names, header)] };
  const missing = known.filter((name) => !fields.includes(name));
  const firsts = new Map<string, string>();
  const problems = names.flatMap((name, index) => {
    const field = fields[index] ?? '';
    const first = firsts.get(field);
    if (first === undefined) firsts.set(field, name);
    const reason =
      first === undefined ? checkColumn(field, missing) : explainRepeat(first, name, header);
    return field === '' || reason === undefined ? [] : [{ column: index + 1, field, reason }];
  });
  return { fields, problems: [...problems, ...findAbsent(fields, missing, header)] };
}

/** Whether it is a column, or might be one mistyped. */
function isNear(field: string): boolean {
  return known.includes(field) || suggestColumn(field, known) !== undefined;
}

/** A file that starts with its first pet, or is something else. */
function refuseHeader(names: readonly string[], header: string): ColumnProblem {
  const shown = formatName(names.map((name) => name.trim()).join(', '));
  const reason = `${header} must name the columns, such as name,category,status; it is: ${shown}`;
  return { column: 1, reason };
}

function explainRepeat(first: string, name: string, header: string): string {
  return first === name
    ? `is given twice in ${header}`
    : `is given twice in ${header}, as ${formatName(first)} and ${formatName(name)}`;
}

function checkColumn(field: string, missing: readonly string[]): string | undefined {
  if (known.includes(field)) return undefined;
  const meant = suggestColumn(field, missing);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `is not a pet column.${hint} Columns: ${known.join(', ')}`;
}

/** A column that a mistyped name probably means is not reported as absent too. */
function findAbsent(
  fields: readonly string[],
  missing: readonly string[],
  header: string,
): ColumnProblem[] {
  const meant = fields
    .filter((field) => !known.includes(field))
    .map((field) => suggestColumn(field, missing));
  return ['name', 'categoryId']
    .filter((name) => missing.includes(name) && !meant.includes(name))
    .map((name) => ({
      column: 1,
      reason: `there is no column ${name}; ${header} must name the columns`,
    }));
}

function suggestColumn(name: string, candidates: readonly string[]): string | undefined {
  const spelled = foldName(name);
  return candidates.find((candidate) => didYouMean(spelled, [foldName(candidate)]) !== '');
}
