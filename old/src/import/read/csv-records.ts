import { type CsvError, parse } from 'csv-parse';
import type { Delimiter } from './csv-columns.ts';
import type { ByteSource } from './read-bytes.ts';

/** More than any row the service would take (64 KiB a body); beyond it a quote was left open. */
const MAX_ROW_BYTES = 128 * 1024;

interface CsvRecord {
  record: string[];
  /** The record's own text, after line ends of the empty lines before it, not all of them whole. */
  raw: string;
}

export interface LocatedRecord extends CsvRecord {
  /** How many lines before it were empty, from the start of the file. */
  emptyLines: number;
}

/**
 * The records of each chunk, taken from the parser as it finds them: those in its stream are lost when it fails after
 * them, and its `on_record` copies what it knows of the file for every record.
 */
export async function* parseRecords(
  source: ByteSource,
  delimiter: Delimiter,
): AsyncGenerator<LocatedRecord[], void, undefined> {
  const records: LocatedRecord[] = [];
  const parser = parse({
    delimiter,
    raw: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
  });
  parser.push = (item: unknown) => {
    if (!isRecord(item)) return true;
    const { record, raw } = item;
    records.push({ record, raw, emptyLines: parser.info.empty_lines });
    return true;
  };
  // Each write reports its own failure.
  parser.on('error', () => {});
  for await (const chunk of source.chunks) {
    const failure = await new Promise((done) => parser.write(chunk, done));
    yield records.splice(0);
    if (failure) throw failure;
  }
  const failure = await new Promise((done) => parser.end((error?: Error) => done(error)));
  yield records;
  if (failure) throw failure;
}

/** What `raw` makes of a record, which the parser's types do not say. */
function isRecord(item: unknown): item is CsvRecord {
  return typeof item === 'object' && item !== null && 'record' in item && 'raw' in item;
}

/** Why the parser failed, in words. The error has `empty_lines` as a record has `emptyLines`. */
export function explainCsvError({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote opened from here on is never closed';
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `a row is longer than ${MAX_ROW_BYTES / 1024} KiB; is a quote left open?`;
  return 'is not CSV';
}
