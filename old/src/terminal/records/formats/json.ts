import type { RecordFormatter, RecordLayout } from '../record-sheet.ts';

/** An array with one record per line. It is held back until the last one: a list that fails half-way shows none. */
export function openJson<Row>(layout: RecordLayout<Row>): RecordFormatter<Row> {
  if (layout.isSingle) return openNdjson(layout);
  let isEmpty = true;
  return {
    isHeldBack: !layout.isLog,
    add(rows) {
      if (rows.length === 0) return '';
      const text = `${isEmpty ? '[' : ','}\n  ${rows.map(layout.encodeRow).join(',\n  ')}`;
      isEmpty = false;
      return text;
    },
    finish: () => `${isEmpty ? '[]' : '\n]'}\n`,
  };
}

/** One JSON object per line. */
export function openNdjson<Row>({ encodeRow }: RecordLayout<Row>): RecordFormatter<Row> {
  return {
    add: (rows) => rows.map((row) => `${encodeRow(row)}\n`).join(''),
    finish: () => '',
  };
}
