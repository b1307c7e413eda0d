import type { Terminal } from '../../terminal.ts';
import type { RecordFormatter, RecordLayout } from '../record-sheet.ts';

/** Aligned columns for people. It waits for the last row, which may be the widest. */
export function openTable<Row>(
  { columns, emptyNotice }: RecordLayout<Row>,
  terminal: Terminal,
): RecordFormatter<Row> {
  const gathered: Row[] = [];
  return {
    add(rows) {
      // One by one: a service that ignores the limit may send more than a call takes arguments.
      for (const row of rows) gathered.push(row);
      return '';
    },
    async finish() {
      if (gathered.length > 0) {
        const { formatTable } = await import('../format-table.ts');
        return formatTable(columns, gathered, terminal.stdout);
      }
      if (emptyNotice !== undefined) terminal.notice(emptyNotice);
      return '';
    },
  };
}
