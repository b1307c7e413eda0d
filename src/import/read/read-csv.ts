import { CsvError, parse } from 'csv-parse';
import { parseInt64 } from '../../contract/int64.ts';
import { checkColumns, type Delimiter, detectDelimiter } from './csv-columns.ts';
import { findStrayQuote } from './csv-quotes.ts';
import type { ByteSource } from './read-bytes.ts';
import type { Problem, RawRow, ReadOptions } from './row.ts';

/** More than any row the service would take (64 KiB a body); beyond it a quote was left open. */
const MAX_ROW_BYTES = 128 * 1024;

interface CsvRecord {
  record: string[];
  /** The record's own text, after the blank lines before it. */
  raw: string;
}

/** Reads CSV (RFC 4180) with a first line of names; commas, semicolons or tabs; blank rows are skipped. */
export async function* readCsv(
  source: ByteSource,
  { onNotice, onHeader }: ReadOptions,
): AsyncGenerator<RawRow, void, undefined> {
  const start = (await source.peek()).toString('utf8');
  const delimiter = detectDelimiter(start.split(/[\r\n]/, 1)[0] ?? '');
  if (delimiter !== ',') onNotice(`Read with ${describeDelimiter(delimiter)} between the columns.`);
  let columns: string[] | undefined;
  let line = 1;
  let number = 0;
  try {
    for await (const { record, raw } of parseRecords(source, delimiter)) {
      const start = line + countLines(/^[\r\n]*/.exec(raw)?.[0] ?? '');
      line += countLines(raw);
      if (columns === undefined) {
        columns = record.map((name) => name.trim());
        const problems = checkColumns(columns);
        if (problems.length > 0) return yield refuse(0, 1, problems);
        onHeader?.(`${source.hasMark() ? '\uFEFF' : ''}${trimLineEnds(raw)}`);
        continue;
      }
      if (record.every((cell) => cell.trim() === '')) continue;
      number += 1;
      const hasMark = source.hasMark();
      yield readRecord({ record, raw, columns, delimiter, number, line: start, hasMark });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield refuse(number + 1, line, [{ line, column: 1, reason: describeFailure(error) }]);
  }
}

/** Records are taken from the parser as it finds them: those in its stream are lost when it fails behind them. */
async function* parseRecords(
  source: ByteSource,
  delimiter: Delimiter,
): AsyncGenerator<CsvRecord, void, undefined> {
  const records: CsvRecord[] = [];
  const parser = parse({
    delimiter,
    raw: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    on_record(item: unknown) {
      if (isRecord(item)) records.push(item);
      return null;
    },
  });
  // Each write reports its own failure.
  parser.on('error', () => {});
  let failure: unknown;
  const step = (run: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve) => {
      run((error) => {
        failure ??= error;
        resolve();
      });
    });
  for await (const chunk of source.chunks) {
    await step((done) => parser.write(chunk, done));
    yield* records.splice(0);
    if (failure) throw failure;
  }
  await step((done) => parser.end(done));
  yield* records.splice(0);
  if (failure) throw failure;
}

/** What `raw` makes of a record, which the parser's types do not say. */
function isRecord(item: unknown): item is CsvRecord {
  return typeof item === 'object' && item !== null && 'record' in item && 'raw' in item;
}

interface CsvRow extends CsvRecord {
  columns: readonly string[];
  delimiter: Delimiter;
  number: number;
  line: number;
  hasMark: boolean;
}

function readRecord({ record, raw, columns, delimiter, number, line, hasMark }: CsvRow): RawRow {
  const stray = raw.includes('"') ? findStrayQuote(raw, delimiter) : undefined;
  if (stray !== undefined) {
    const reason =
      'holds a quote that is not doubled, or not closed; put the text in quotes and double those inside';
    return refuse(number, line, [{ line, column: stray, reason }]);
  }
  if (record.length !== columns.length) {
    const reason = `has ${record.length} columns, the first line ${columns.length}`;
    return refuse(number, line, [
      { line, column: Math.min(record.length, columns.length), reason },
    ]);
  }
  const value: Record<string, unknown> = {};
  columns.forEach((name, index) => {
    const cell = readCell(name, record[index] ?? '', hasMark);
    if (cell !== undefined) value[name] = cell;
  });
  return {
    number,
    line,
    source: trimLineEnds(raw),
    value,
    locate: (field) => ({ line, column: columns.indexOf(field) + 1 || 1 }),
  };
}

/** An empty cell is an absent member. Only the name keeps its spaces. */
function readCell(column: string, text: string, hasMark: boolean): unknown {
  if (text.trim() === '') return undefined;
  if (column === 'name') return hasMark ? text.replace(formulaGuard, '') : text;
  const plain = text.trim();
  if (column !== 'categoryId') return plain;
  return parseInt64(excelText.exec(plain)?.[1] ?? plain) ?? plain;
}

/** How `--excel` keeps Excel from rounding an id, and from taking a name for a formula. */
const excelText = /^="(-?\d+)"$/;
const formulaGuard = /^'(?='*\s*[=+\-@\t\r])/;

function refuse(number: number, line: number, problems: readonly Problem[]): RawRow {
  const locate = () => ({ line, column: 1 });
  return { number, line, source: '', value: undefined, problems, locate };
}

function trimLineEnds(raw: string): string {
  return raw.replace(/^[\r\n]+|[\r\n]+$/g, '');
}

function countLines(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

function describeDelimiter(delimiter: Delimiter): string {
  return delimiter === ';' ? 'semicolons' : 'tabs';
}

function describeFailure({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote opened from here on is never closed';
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `a row is longer than ${MAX_ROW_BYTES / 1024} KiB; is a quote left open?`;
  return 'is not CSV';
}
