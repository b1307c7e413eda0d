import type { RecordFormatter, RecordLayout } from '../record-sheet.ts';

/** One JSON object per line. */
export function openNdjson<Row>({ encodeRow }: RecordLayout<Row>): RecordFormatter<Row> {
  return {
    add: (rows) => rows.map((row) => `${encodeRow(row)}\n`).join(''),
    finish: () => '',
  };
}
