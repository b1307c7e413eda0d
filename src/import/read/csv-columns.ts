import { didYouMean } from '../../errors.ts';
import { rowFields } from './check-row.ts';
import type { Problem } from './row.ts';

const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

const needed = ['name', 'categoryId'];
const known = [...rowFields, 'id'];

/**
 * The delimiter of a CSV file by its first line: the one that cuts it into the most columns known here, or else
 * into the most columns. Spreadsheets write semicolons where the comma is the decimal sign.
 */
export function detectDelimiter(header: string): Delimiter {
  const scored = delimiters.map((delimiter) => {
    const cells = header.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    return {
      delimiter,
      score: cells.filter((cell) => known.includes(cell)).length * 1000 + cells.length,
    };
  });
  return scored.sort((one, other) => other.score - one.score)[0]?.delimiter ?? ',';
}

/** What is wrong with the names in the first line, all of it at once. */
export function checkColumns(columns: readonly string[]): Problem[] {
  const problems = columns.flatMap((name, index) => checkColumn(columns, name, index));
  const absent = needed.filter((name) => !columns.includes(name));
  const reasons = absent.map(
    (name) => `there is no column ${name}; the first line must name the columns`,
  );
  return [...problems, ...reasons.map((reason) => ({ line: 1, column: 1, reason }))];
}

function checkColumn(columns: readonly string[], field: string, index: number): Problem[] {
  const at = { line: 1, column: index + 1, field };
  if (columns.indexOf(field) < index)
    return [{ ...at, reason: 'is given twice in the first line' }];
  if (known.includes(field)) return [];
  const rest = known.filter((name) => !columns.includes(name));
  return [
    {
      ...at,
      reason: `is not a pet column.${didYouMean(field.replace(/[\s_-]/g, ''), rest)} Columns: ${known.join(', ')}`,
    },
  ];
}
