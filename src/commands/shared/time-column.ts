import type { Column } from '../../terminal/formats.ts';
import { formatRelativeTime } from '../../terminal/relative-time.ts';

/** A column of times: in full for scripts, short in a table. */
export function timeColumn<Row>(
  column: Omit<Column<Row>, 'value' | 'show'>,
  find: (row: Row) => Date | undefined,
  now: Date,
): Column<Row> {
  return {
    ...column,
    value: (row) => find(row)?.toISOString() ?? null,
    show(row) {
      const time = find(row);
      return time === undefined ? '-' : formatRelativeTime(time, now);
    },
  };
}
