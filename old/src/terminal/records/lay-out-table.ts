import CliTable from 'cli-table3';
import { measureWidth } from '../text/width.ts';

export interface TableColumn {
  title: string;
  align: 'left' | 'right';
}

const noFrame = Object.fromEntries(
  [
    ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'],
    ['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'],
  ]
    .flat()
    .map((part) => [part, '']),
);

/** How many columns part two cells. */
export const GAP = 2;

/** A cell: what is measured, and how it is colored. */
export interface Cell {
  text: string;
  mark?: (text: string) => string;
}

/** cli-table3 takes time by the square of the rows, so it gets some at a time. */
const ROWS_AT_ONCE = 100;

/** Lays out cells without a frame, a title line first. Cells must be safe to print. */
export function layOutTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  markTitle: (text: string) => string,
): string {
  const titles = columns.map(({ title }) => ({ text: title, mark: markTitle }));
  const all = [titles, ...rows];
  const widths = measureColumns(columns, rows);
  const parts: string[] = [];
  for (let from = 0; from < all.length; from += ROWS_AT_ONCE) {
    parts.push(layOutRows(columns, widths, all.slice(from, from + ROWS_AT_ONCE)));
  }
  return parts.join('\n');
}

/** How wide each column is with its title and all its cells. */
export function measureColumns(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
): number[] {
  return columns.map(({ title }, index) =>
    rows.reduce(
      (widest, row) => Math.max(widest, measureWidth(row[index]?.text ?? '')),
      title.length,
    ),
  );
}

/** cli-table3 measures by an old Unicode table, so it gets stand-ins exactly as wide as our own measure says. */
function layOutRows(
  columns: readonly TableColumn[],
  widths: number[],
  rows: readonly (readonly Cell[])[],
): string {
  const shown: string[] = [];
  const standIn = ({ text, mark = (same) => same }: Cell) => {
    const width = measureWidth(text);
    if (width === 0) return '';
    shown.push(mark(text));
    return '\ue000'.padEnd(width, '\ue001');
  };
  const table = new CliTable({
    chars: { ...noFrame, middle: ' '.repeat(GAP) },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: columns.map(({ align }) => align),
    colWidths: widths,
  });
  for (const row of rows) table.push(row.map(standIn));
  let next = 0;
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd().replace(/\ue000\ue001*/g, () => shown[next++] ?? ''))
    .join('\n');
}
