import type { RecordFormatter, RecordLayout } from '../record-sheet.ts';

/**
 * An array with one record per line. It waits for the last one: a list that fails half-way shows none. What waits is kept
 * as it was added: to join millions of rows takes their memory again, and no string can be that long.
 */
export function openJson<Row>(layout: RecordLayout<Row>): RecordFormatter<Row> {
  if (layout.isSingle) return openNdjson(layout);
  const waiting: string[] = [];
  let isEmpty = true;
  return {
    add(rows) {
      if (rows.length === 0) return '';
      const text = `${isEmpty ? '[' : ','}\n  ${rows.map(layout.encodeRow).join(',\n  ')}`;
      isEmpty = false;
      if (layout.isLog) return text;
      waiting.push(text);
      return '';
    },
    finish() {
      const last = waiting.pop() ?? '';
      return [...waiting, `${last}${isEmpty ? '[]' : '\n]'}\n`];
    },
  };
}

/** One JSON object per line. */
export function openNdjson<Row>({ encodeRow }: RecordLayout<Row>): RecordFormatter<Row> {
  return {
    add: (rows) => rows.map((row) => `${encodeRow(row)}\n`).join(''),
    finish: () => [],
  };
}
