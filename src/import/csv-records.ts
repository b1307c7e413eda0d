import { CsvError, parse } from 'csv-parse';
import type { Mistake } from './row.ts';

/** Little: what is made of a row is gone before the garbage collector would have to move it. */
const CHUNK_BYTES = 8 * 1024;
/** More than any row the service would take (64 KiB a body); beyond it a quotation mark was left open. */
const MAX_ROW_BYTES = 128 * 1024;
/** After so many lines that are not CSV the rest is not looked at. */
const MAX_FAILURES = 100;

export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether a cell holds a line break, because of a quotation mark in front of it. */
  readonly hasBreak: boolean;
}

/** The records of a text. Where the parser fails it starts again on the next line, so that all mistakes are found. */
export async function* readRecords(
  bytes: Buffer,
  separator: string,
): AsyncGenerator<readonly (CsvRecord | Mistake)[], void> {
  let start: Position = { offset: 0, line: 1 };
  for (let failures = 0; failures < MAX_FAILURES; failures += 1) {
    try {
      return yield* parseRecords(bytes, start, separator);
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      const failed = skipLineEnds(bytes, start, start.offset + Number(error.bytes));
      yield [{ line: failed.line, reason: quoteReason }];
      start = skipLineEnds(bytes, failed, findLineEnd(bytes, failed.offset));
    }
  }
}

const quoteReason =
  'has a lone quotation mark: remove it, or put the text in quotation marks and write those inside it twice';

async function* parseRecords(
  bytes: Buffer,
  start: Position,
  separator: string,
): AsyncGenerator<CsvRecord[], void> {
  const records: CsvRecord[] = [];
  /** From the parser's count to lines of the file. */
  let shift = start.line - 1;
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
  });
  // Records are taken here: its stream would lose those in front of a failure, and its `on_record` takes longer than all else.
  parser.push = (cells: string[] | null) => {
    if (cells === null) return false;
    const breaks = countBreaks(cells);
    // The parser counts a CRLF inside quotation marks as two lines.
    shift -= breaks.crlf;
    const line = parser.info.lines + shift - breaks.all;
    records.push({ line, cells, hasBreak: breaks.all > 0 });
    return true;
  };
  // Each call reports its own failure.
  parser.on('error', () => {});
  for (let at = start.offset; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    const failure = await new Promise((done) => parser.write(chunk, done));
    yield records.splice(0);
    if (failure) throw failure;
  }
  const failure = await new Promise((done) => parser.end(done));
  yield records;
  if (failure) throw failure;
}

function countBreaks(cells: readonly string[]) {
  if (!cells.some((cell) => /[\r\n]/.test(cell))) return noBreaks;
  let all = 0;
  let crlf = 0;
  for (const cell of cells) {
    all += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
    crlf += cell.match(/\r\n/g)?.length ?? 0;
  }
  return { all, crlf };
}

const noBreaks = { all: 0, crlf: 0 };

interface Position {
  /** In bytes. */
  readonly offset: number;
  readonly line: number;
}

/** The first place at or after `offset` that is not the end of a line. */
function skipLineEnds(bytes: Buffer, from: Position, offset: number): Position {
  let end = offset;
  while (bytes[end] === LINE_FEED || bytes[end] === CARRIAGE_RETURN) end += 1;
  const passed = bytes.toString('latin1', from.offset, end);
  return { offset: end, line: from.line + (passed.match(/\r\n|\r|\n/g)?.length ?? 0) };
}

function findLineEnd(bytes: Buffer, from: number): number {
  let end = from;
  while (end < bytes.length && bytes[end] !== LINE_FEED && bytes[end] !== CARRIAGE_RETURN) end += 1;
  return end;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
