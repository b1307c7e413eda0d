import { Chalk } from 'chalk';
import stringWidth from 'string-width';
import { showUnsafe, splitGraphemes } from './safe-text.ts';
import type { Color, Column } from './sheet.ts';
import type { Screen } from './terminal.ts';

const GAP = '  ';
/** Shortened further, a name says nothing. */
const NARROWEST = 8;

interface Cell {
  readonly text: string;
  /** Columns that the text takes: measured once, since that is slow. */
  readonly width: number;
  readonly color: Color | undefined;
}

/** Rows in columns that fit the screen, under a line of titles. On a terminal that is too narrow one column is shortened. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  screen: Screen,
): string {
  const shown = columns.filter(({ isHidden }) => !isHidden);
  const titles = shown.map(({ name, title }) => createCell(title ?? name.toUpperCase(), 'dim'));
  const lines = [titles, ...rows.map((row) => shown.map((column) => formatCell(column, row)))];
  const widths = fitWidths(shown, measureColumns(lines), screen);
  const chalk = new Chalk({ level: screen.hasColor ? 1 : 0 });
  const padCell = (cell: Cell, index: number) => {
    const room = widths[index] ?? 0;
    const { text, width, color } = cell.width > room ? shortenCell(cell, room) : cell;
    const colored = color === undefined ? text : chalk[color](text);
    const blanks = ' '.repeat(room - width);
    return shown[index]?.align === 'right' ? blanks + colored : colored + blanks;
  };
  return lines.map((cells) => `${cells.map(padCell).join(GAP).trimEnd()}\n`).join('');
}

function createCell(text: string, color: Color | undefined): Cell {
  return { text, width: stringWidth(text), color };
}

function formatCell<Row>({ value, show, color }: Column<Row>, row: Row): Cell {
  const text = show === undefined ? String(value(row) ?? '-') : show(row);
  return createCell(showUnsafe(text), color?.(row));
}

function measureColumns(lines: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const line of lines) {
    line.forEach(({ width }, index) => {
      widths[index] = Math.max(widths[index] ?? 0, width);
    });
  }
  return widths;
}

function fitWidths<Row>(
  columns: readonly Column<Row>[],
  widths: readonly number[],
  screen: Screen,
): readonly number[] {
  const at = columns.findIndex(({ isShortened }) => isShortened);
  const total = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  if (!screen.isTerminal || at === -1 || total <= screen.width) return widths;
  const room = (widths[at] ?? 0) - (total - screen.width);
  return widths.with(at, Math.max(room, NARROWEST));
}

/** At most so many columns, the last of them `…`; no character is split. */
function shortenCell({ text, color }: Cell, room: number): Cell {
  let kept = '';
  for (const { segment } of splitGraphemes(text)) {
    if (stringWidth(kept + segment) >= room) break;
    kept += segment;
  }
  return createCell(`${kept.trimEnd()}…`, color);
}
