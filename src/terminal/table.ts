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
  readonly color: Color | undefined;
}

/** Rows in columns that fit the screen, under a line of titles. On a terminal that is too narrow one column is shortened. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  screen: Screen,
): string {
  const chalk = new Chalk({ level: screen.hasColor ? 1 : 0 });
  const shown = columns.filter(({ isHidden }) => !isHidden);
  const titles = shown.map(({ name, title }) => dimTitle(title ?? name.toUpperCase()));
  const lines = [titles, ...rows.map((row) => shown.map((column) => formatCell(column, row)))];
  const widths = fitWidths(shown, measureColumns(lines), screen);
  const formatLine = (cells: readonly Cell[]) =>
    cells
      .map(({ text, color }, index) => {
        const width = widths[index] ?? 0;
        const fitted = shortenText(text, width);
        const blanks = ' '.repeat(width - stringWidth(fitted));
        const colored = color === undefined ? fitted : chalk[color](fitted);
        return shown[index]?.align === 'right' ? blanks + colored : colored + blanks;
      })
      .join(GAP)
      .trimEnd();
  return `${lines.map(formatLine).join('\n')}\n`;
}

function dimTitle(text: string): Cell {
  return { text, color: 'dim' };
}

function formatCell<Row>({ value, show, color }: Column<Row>, row: Row): Cell {
  const text = show === undefined ? String(value(row) ?? '-') : show(row);
  return { text: showUnsafe(text), color: color?.(row) };
}

function measureColumns(lines: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const line of lines) {
    line.forEach(({ text }, index) => {
      widths[index] = Math.max(widths[index] ?? 0, stringWidth(text));
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
function shortenText(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of splitGraphemes(text)) {
    if (stringWidth(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
