import type { RecordFormatter, RecordLayout } from '../record-sheet.ts';

/** An array with one record per line. It waits for the last one: a list that fails half-way shows none. */
export function openJson<Row>(layout: RecordLayout<Row>): RecordFormatter<Row> {
  if (layout.isSingle) return openNdjson(layout);
  let waiting = '';
  let isEmpty = true;
  const take = () => {
    const text = waiting;
    waiting = '';
    return text;
  };
  return {
    add(rows) {
      if (rows.length === 0) return '';
      waiting += `${isEmpty ? '[' : ','}\n  ${rows.map(layout.encodeRow).join(',\n  ')}`;
      isEmpty = false;
      return layout.isLog ? take() : '';
    },
    finish: () => `${take()}${isEmpty ? '[]' : '\n]'}\n`,
  };
}

/** One JSON object per line. */
export function openNdjson<Row>({ encodeRow }: RecordLayout<Row>): RecordFormatter<Row> {
  return {
    add: (rows) => rows.map((row) => `${encodeRow(row)}\n`).join(''),
    finish: () => '',
  };
}
