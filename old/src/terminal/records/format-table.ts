import type { Terminal } from '../terminal.ts';
import { showUnsafe } from '../text/safe-text.ts';
import { createStyle } from '../text/style.ts';
import { foldText, measureWidth, shorten } from '../text/width.ts';
import { type Cell, GAP, layOutTable, measureColumns, type TableColumn } from './lay-out-table.ts';
import type { Column } from './record-sheet.ts';

/** A column of a table, and what may be done to it where the table is too wide. */
export interface FittedColumn extends TableColumn {
  overflow: 'fold' | 'shorten' | 'none';
}

type Rows = readonly (readonly Cell[])[];

/** Folded more narrowly, a sentence is harder to read than on a line of its own. */
const NARROWEST_FOLD = 20;
/** Shortened further, a name says nothing. */
const NARROWEST_TEXT = 8;

/** Rows as a table that fits stdout. Loaded only when there is one: its packages are the largest part of the terminal. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  stdout: Terminal['stdout'],
): string {
  const style = createStyle(stdout.hasColor);
  const shown = columns.filter(({ heading }) => heading !== undefined);
  const cells = rows.map((row) =>
    shown.map(({ value, show, mark }) => ({
      text: showUnsafe(stdout.redact(show ? show(row) : String(value(row) ?? '-'))),
      ...(mark && { mark: (text: string) => mark(text, row, style) }),
    })),
  );
  const titles = shown.map(({ heading = '', align = 'left', overflow = 'fold' }) => {
    return { title: heading, align, overflow };
  });
  return `${fitTable(titles, cells, style.header, stdout)}\n`;
}

/**
 * Lays out cells for stdout. Where they do not fit on its terminal, a column is shortened if one may be, or else the widest
 * is folded between words. Where that is not enough and most rows are too wide, each row takes a line per cell.
 */
export function fitTable(
  columns: readonly FittedColumn[],
  rows: Rows,
  markTitle: (text: string) => string,
  stdout: Pick<Terminal['stdout'], 'isTerminal' | 'columns'>,
): string {
  const widths = measureColumns(columns, rows);
  const excess = widths.reduce((sum, width) => sum + width + GAP, -GAP) - stdout.columns();
  if (!stdout.isTerminal || excess <= 0) return layOutTable(columns, rows, markTitle);
  const shortened = columns.findIndex(({ overflow }) => overflow === 'shorten');
  const folded = findWidest(columns, widths);
  const fitted =
    shortened >= 0
      ? shortenColumn(rows, shortened, (widths[shortened] ?? 0) - excess)
      : foldColumn(rows, folded, (widths[folded] ?? 0) - excess);
  if (fitted !== undefined) return layOutTable(columns, fitted, markTitle);
  if (shortened >= 0 || folded < 0) return layOutStacked(columns, rows, markTitle);
  const table = layOutTable(columns, rows, markTitle);
  const [, ...lines] = table.split('\n');
  const tooWide = lines.filter((line) => measureWidth(line) > stdout.columns());
  return tooWide.length > rows.length / 2 ? layOutStacked(columns, rows, markTitle) : table;
}

/** The widest column that may be folded; -1 where none may. */
function findWidest(columns: readonly FittedColumn[], widths: readonly number[]): number {
  const foldable = widths.map((width, at) => (columns[at]?.overflow === 'fold' ? width : -1));
  const widest = Math.max(...foldable);
  return widest < 0 ? -1 : foldable.indexOf(widest);
}

function shortenColumn(rows: Rows, at: number, room: number): Cell[][] | undefined {
  if (room < NARROWEST_TEXT) return undefined;
  return rows.map((row) => row.with(at, { ...row[at], text: shorten(row[at]?.text ?? '', room) }));
}

function foldColumn(rows: Rows, at: number, room: number): Cell[][] | undefined {
  if (at < 0 || room < NARROWEST_FOLD) return undefined;
  const folded = rows.flatMap((row) => foldRow(row, at, room));
  const fits = folded.every((row) => measureWidth(row[at]?.text ?? '') <= room);
  return fits ? folded : undefined;
}

/** Each row as lines, a title before each cell. */
function layOutStacked(
  columns: readonly FittedColumn[],
  rows: Rows,
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
