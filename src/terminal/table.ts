import { Chalk } from 'chalk';
import Table from 'cli-table3';
import type { Color, Column } from './row-layout.ts';
import { showUnsafe } from './safe-text.ts';
import type { Screen } from './terminal.ts';

const GAP = '  ';
/** Shortened further, a name says nothing. */
const NARROWEST = 8;
/** Rows that cli-table3 is given at once: its time grows with their square. */
const BLOCK = 20;

type Cells = readonly string[];

/** Rows in columns that fit the screen, under a line of titles. On a terminal that is too narrow some are shortened. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  screen: Screen,
): string {
  const chalk = new Chalk({ level: screen.hasColor ? 1 : 0 });
  const paint = (text: string, color: Color | undefined) =>
    color === undefined ? text : chalk[color](text);
  const shown = columns.filter(({ isHidden }) => !isHidden);
  const titles = shown.map(({ name, title }) => paint(title ?? name.toUpperCase(), 'dim'));
  const lines = [
    titles,
    ...rows.map((row) =>
      shown.map((column) => paint(formatCell(column, row), column.color?.(row))),
    ),
  ];
  const blocks = cutBlocks(lines);
  const aligns = shown.map(({ align }) => align ?? 'left');
  const widths = fitWidths(shown, measureColumns(blocks, aligns), screen);
  const parts = splitColumns(widths, screen).map(({ start, end }) =>
    blocks.flatMap((block) => {
      const cells = block.map((line) => line.slice(start, end));
      const text = renderBlock(cells, aligns.slice(start, end), widths.slice(start, end));
      return text.split('\n').slice(0, -1);
    }),
  );
  const [first = []] = parts;
  // The rest of a row stands below its first columns.
  return first.map((_, at) => `${parts.map((part) => part[at]).join(`\n${GAP}`)}\n`).join('');
}

/** Columns that stand beside one another: a terminal would break what is too wide within a word. */
function splitColumns(widths: readonly number[], { isTerminal, width }: Screen) {
  const parts: { start: number; end: number }[] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const [at, own] of widths.entries()) {
    const part = parts.at(-1);
    used += GAP.length + own;
    if (part !== undefined && (!isTerminal || used <= width)) {
      part.end = at + 1;
    } else {
      parts.push({ start: at, end: at + 1 });
      used = own + (parts.length > 1 ? GAP.length : 0);
    }
  }
  return parts;
}

function formatCell<Row>({ value, show }: Column<Row>, row: Row): string {
  return showUnsafe(show === undefined ? String(value(row) ?? '-') : show(row));
}

function cutBlocks(lines: readonly Cells[]): (readonly Cells[])[] {
  const count = Math.ceil(lines.length / BLOCK);
  return Array.from({ length: count }, (_, at) => lines.slice(at * BLOCK, (at + 1) * BLOCK));
}

type Aligns = readonly ('left' | 'right')[];

/** Columns on the screen that each column takes, as cli-table3 measures them. */
function measureColumns(blocks: readonly (readonly Cells[])[], aligns: Aligns): number[] {
  const widths = aligns.map(() => 0);
  for (const block of blocks) {
    const own: number[] = [];
    renderBlock(block, aligns, own);
    own.forEach((width, index) => {
      widths[index] = Math.max(widths[index] ?? 0, width);
    });
  }
  return widths;
}

/** Without borders. A width that is not given is put into `widths` by cli-table3. */
function renderBlock(block: readonly Cells[], aligns: Aligns, widths: number[]): string {
  const style = { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 };
  const table = new Table({ chars, style, colAligns: [...aligns], colWidths: widths });
  table.push(...block.map((cells) => [...cells]));
  const lines = table.toString().split('\n');
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

const chars = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
  middle: GAP,
};

function fitWidths<Row>(
  columns: readonly Column<Row>[],
  widths: readonly number[],
  screen: Screen,
): number[] {
  const total = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  const fitted = [...widths];
  if (!screen.isTerminal) return fitted;
  for (let excess = total - screen.width; excess > 0; excess -= 1) {
    const [widest] = columns
      .flatMap(({ isShortened }, at) => (isShortened ? [{ at, width: fitted[at] ?? 0 }] : []))
      .sort((one, other) => other.width - one.width);
    if (widest === undefined || widest.width <= NARROWEST) break;
    fitted[widest.at] = widest.width - 1;
  }
  return fitted;
}
