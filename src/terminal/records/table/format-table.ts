import type { Terminal } from '../../terminal.ts';
import { showUnsafe } from '../../text/safe-text.ts';
import { createStyle } from '../../text/style.ts';
import type { Column } from '../record-sheet.ts';
import { fitTable } from './fit-table.ts';

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
      text: showUnsafe(show ? show(row) : String(value(row) ?? '-')),
      ...(mark && { mark: (text: string) => mark(text, row, style) }),
    })),
  );
  const titles = shown.map(({ heading = '', align = 'left', overflow = 'fold' }) => {
    return { title: heading, align, overflow };
  });
  return `${fitTable(titles, cells, style.header, stdout)}\n`;
}
