import type { Screen } from '../terminal.ts';
import { measureWidth } from '../text/width.ts';
import { type Cell, type Column, GAP, layOutTable, measureColumns } from './table.ts';

/** Folded more narrowly, a sentence is harder to read than on a line of its own. */
const NARROWEST_FOLD = 20;

/**
 * Lays out cells for stdout. Where they do not fit on its screen, the widest column is folded between words; where that
 * does not do and most rows are too wide, each takes a line for each cell. Nothing is cut: paths are there to be copied.
 */
export function layOutFitting(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  markTitle: (text: string) => string,
  screen: Pick<Screen, 'isTerminal' | 'columns'>,
): string {
  const widths = measureColumns(columns, rows);
  const excess = widths.reduce((sum, width) => sum + width + GAP, -GAP) - screen.columns();
  if (!screen.isTerminal || excess <= 0) return layOutTable(columns, rows, markTitle);
  const widest = widths.indexOf(Math.max(...widths));
  const room = Math.max(...widths) - excess;
  const folded = rows.map((row) => foldRow(row, widest, room));
  const fits = folded.flat().every((row) => measureWidth(row[widest]?.text ?? '') <= room);
  if (fits && room >= NARROWEST_FOLD) return layOutTable(columns, folded.flat(), markTitle);
  const table = layOutTable(columns, rows, markTitle);
  const [, ...lines] = table.split('\n');
  const tooWide = lines.filter((line) => measureWidth(line) > screen.columns());
  return tooWide.length > rows.length / 2 ? layOutStacked(columns, rows, markTitle) : table;
}

/** Each row as lines, a title before each cell. */
export function layOutStacked(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  markTitle: (text: string) => string,
): string {
  const widest = Math.max(...columns.map(({ title }) => title.length));
  const renderLine = ({ text, mark = (same) => same }: Cell, index: number) =>
    `${markTitle((columns[index]?.title ?? '').padEnd(widest))}${' '.repeat(GAP)}${mark(text)}`;
  const renderRow = (row: readonly Cell[]) =>
    row.flatMap((cell, index) => (cell.text === '' ? [] : [renderLine(cell, index)])).join('\n');
  return rows.map(renderRow).join('\n\n');
}

/** A row as several: the further lines of one cell stand in rows of their own, otherwise empty. */
function foldRow(row: readonly Cell[], at: number, room: number): Cell[][] {
  const [first = '', ...others] = foldText(row[at]?.text ?? '', room);
  const put = (text: string, rest: Cell[]) => rest.with(at, { ...row[at], text });
  const empty = row.map(() => ({ text: '' }));
  return [put(first, [...row]), ...others.map((text) => put(text, empty))];
}

/** Lines no wider than `room`, but for a word that is. The text must be safe to print. */
export function foldText(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && measureWidth(longer) <= room) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}
