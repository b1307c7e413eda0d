import type { OutputFormat } from '../../contract/output-formats.ts';
import type { Terminal } from '../terminal.ts';
import { openCsv } from './formats/csv.ts';
import { openJson } from './formats/json.ts';
import { openNdjson } from './formats/ndjson.ts';
import { openTable } from './formats/table.ts';
import type { RecordFormatter, RecordLayout } from './record-sheet.ts';

export type OpenFormat = <Row>(
  layout: RecordLayout<Row>,
  terminal: Terminal,
) => RecordFormatter<Row>;

/** Who writes each format. */
export const formats = {
  table: openTable,
  json: openJson,
  ndjson: openNdjson,
  csv: openCsv,
} satisfies Record<OutputFormat, OpenFormat>;
