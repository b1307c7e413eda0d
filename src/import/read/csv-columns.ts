import { NewPet } from '../../contract/pet.ts';
import { didYouMean } from '../../errors.ts';
import type { Problem } from './row.ts';

const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

const known = [...Object.keys(NewPet.entries), 'id'];

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
  const problems = columns.flatMap((field, index) => {
    const reason = checkColumn(columns, field, index);
    return reason === undefined ? [] : [{ line: 1, column: index + 1, field, reason }];
  });
  const absent = ['name', 'categoryId'].filter((name) => !columns.includes(name));
  return [
    ...problems,
    ...absent.map((name) => ({
      ...{ line: 1, column: 1 },
      reason: `there is no column ${name}; the first line must name the columns`,
    })),
  ];
}

function checkColumn(columns: readonly string[], name: string, index: number): string | undefined {
  if (columns.indexOf(name) < index) return 'is given twice in the first line';
  if (known.includes(name)) return undefined;
  const rest = known.filter((other) => !columns.includes(other));
  const hint = didYouMean(name.replace(/[\s_-]/g, ''), rest);
  return `is not a pet column.${hint} Columns: ${known.join(', ')}`;
}
