import { CsvError } from 'csv-parse';
import {
  type Delimiter,
  describeHeader,
  detectDelimiter,
  findSeparatorLine,
  readColumns,
} from './csv-columns.ts';
import { explainCsvError, type LocatedRecord, parseRecords } from './csv-records.ts';
import type { ByteSource } from './read-bytes.ts';
import type { BadRow, RawRow, ReadOptions } from './row.ts';

/** Rows handed on at once: what is made of a row is gone before the garbage collector would have to move it. */
const GROUP_ROWS = 100;

const delimiterNames = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
} as const satisfies Record<Delimiter, string>;

/** What all rows of the file have in common. */
interface CsvFile {
  columns: readonly string[];
  /** How messages call the line of its header. */
  header: string;
  /** Whether a column has no name. */
  hasNameless: boolean;
  delimiter: Delimiter;
  hasMark: boolean;
  locate: RawRow['locate'];
}

/** Reads CSV (RFC 4180) with a header; commas, semicolons or tabs; blank rows are skipped. */
export async function* readCsv(
  source: ByteSource,
  { onNotice, onHeader }: ReadOptions,
): AsyncGenerator<(RawRow | BadRow)[], void, undefined> {
  const { start, hasMark } = source;
  const delimiter = detectDelimiter(findHeaderLine(start.toString('utf8')));
  if (delimiter !== ',') onNotice(`Read with ${delimiterNames[delimiter]}s between the columns.`);
  const reader = createRecordReader(delimiter, hasMark, onHeader);
  try {
    for await (const records of parseRecords(source, delimiter)) {
      for (let at = 0; at < records.length; at += GROUP_ROWS) {
        yield reader.read(records.slice(at, at + GROUP_ROWS));
        if (reader.isRefused()) return;
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield [refuse(reader.findLine(Number(error.empty_lines)), 1, explainCsvError(error))];
  }
}

/** The first line that is not blank; of a text of blank rows only, the first that has a delimiter. */
function findHeaderLine(text: string): string {
  // Without their anchors they would start again at each of many blanks.
  const [line = ''] = /^.*[^\s,;"].*$/m.exec(text) ?? /^.*\S.*$/m.exec(text) ?? [];
  return line;
}

/** Makes rows of records: the first one that is not blank names the columns. */
function createRecordReader(
  delimiter: Delimiter,
  hasMark: boolean,
  onHeader: ReadOptions['onHeader'],
) {
  let file: CsvFile | undefined;
  /** Lines of the records so far. */
  let lines = 0;
  let isRefused = false;

  function readHeader(record: string[], text: string, line: number): BadRow | undefined {
    if (findSeparatorLine(text) !== undefined) return undefined;
    const header = describeHeader(line);
    const { fields, problems } = readColumns(record, header);
    isRefused = problems.length > 0;
    if (isRefused) return { problems: problems.map((problem) => ({ line, ...problem })) };
    file = {
      ...{ columns: fields, header, hasNameless: fields.includes(''), delimiter, hasMark },
      locate: (row, name) => ({ line: row.line, column: fields.indexOf(name) + 1 || 1 }),
    };
    onHeader?.(`${hasMark ? '\uFEFF' : ''}${text}`);
    return undefined;
  }

  function readRecord({ record, raw, emptyLines }: LocatedRecord): RawRow | BadRow | undefined {
    const line = findLine(emptyLines);
    const text = trimLineEnds(raw);
    lines += countLineEnds(text) + 1;
    if (record.every((cell) => cell.trim() === '')) return undefined;
    if (file === undefined) return readHeader(record, text, line);
    return readRow(record, { line, source: text }, file);
  }

  const findLine = (emptyLines: number) => lines + emptyLines + 1;

  return {
    /** Nothing of a file whose header was refused. */
    read(records: readonly LocatedRecord[]): (RawRow | BadRow)[] {
      const rows: (RawRow | BadRow)[] = [];
      for (const record of records) {
        const row = isRefused ? undefined : readRecord(record);
        if (row !== undefined) rows.push(row);
      }
      return rows;
    },
    isRefused: () => isRefused,
    /** The line of the next record, by the number of empty lines in front of it, from the start of the file. */
    findLine,
  };
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

function trimLineEnds(raw: string): string {
  let start = 0;
  let end = raw.length;
  while (start < end && isLineEnd(raw.charCodeAt(start))) start += 1;
  while (end > start && isLineEnd(raw.charCodeAt(end - 1))) end -= 1;
  return raw.slice(start, end);
}

function isLineEnd(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

function readRow(
  record: readonly string[],
  { line, source }: Pick<RawRow, 'line' | 'source'>,
  file: CsvFile,
): RawRow | BadRow {
  const { columns, delimiter, hasMark } = file;
  const stray = source.includes('"') ? findStrayQuote(source, delimiter) : undefined;
  if (stray !== undefined) {
    const reason =
      'holds a quote that is not doubled, or not closed; put the text in quotes and double those inside';
    return refuse(line, stray, reason);
  }
  const misfit = findMisfit(record, file);
  if (misfit !== undefined) return refuse(line, misfit.column, misfit.reason);
  const value: Record<string, unknown> = {};
  columns.forEach((name, index) => {
    const cell = readCell(name, record[index] ?? '', hasMark);
    if (cell !== undefined) value[name] = cell;
  });
  return { line, source, value, locate: file.locate };
}

/** Where a row has other columns than the header names. Empty cells after the last one are what a spreadsheet adds. */
function findMisfit(
  record: readonly string[],
  { columns, header, hasNameless, delimiter }: CsvFile,
) {
  const count = record.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (record.length < columns.length || count > columns.length) {
    const values = record.length === 1 ? '1 value' : `${record.length} values`;
    const quotes =
      count > columns.length ? `; text with a ${delimiterNames[delimiter]} in it needs quotes` : '';
    const reason = `has ${values}, but ${header} has ${columns.length} columns${quotes}`;
    return { column: Math.min(record.length, columns.length), reason };
  }
  if (!hasNameless) return undefined;
  const nameless = columns.findIndex((name, at) => name === '' && record[at]?.trim() !== '');
  if (nameless === -1) return undefined;
  return { column: nameless + 1, reason: `is in a column that ${header} gives no name` };
}

/**
 * The number of the first column, from 1, whose quotes break RFC 4180 (section 2, rules 5 to 7), or undefined.
 * An id as text for Excel, `="17"`, is let through. The parser reads on after such a quote, so that one mistake does not hide the rows after it.
 */
function findStrayQuote(text: string, delimiter: Delimiter): number | undefined {
  const cell = new RegExp(
    `(?:"(?:[^"]|"")*"|="-?\\d+"|[^"${delimiter}\\r\\n]*)(${delimiter}|$)`,
    'y',
  );
  for (let column = 1; ; column += 1) {
    const match = cell.exec(text);
    if (match === null) return column;
    if (match[1] !== delimiter) return undefined;
  }
}

/** An empty cell is an absent member. Only the name keeps its spaces. */
function readCell(column: string, text: string, hasMark: boolean): unknown {
  const plain = text.trim();
  if (plain === '') return undefined;
  if (column === 'name') return hasMark ? text.replace(formulaGuard, '') : text;
  if (column !== 'categoryId') return plain;
  return excelText.exec(plain)?.[1] ?? plain;
}

/** How `--excel` keeps Excel from rounding an id, and from taking a name for a formula. */
const excelText = /^="(-?\d+)"$/;
const formulaGuard = /^'(?='*\s*[=+\-@\t\r])/;

function refuse(line: number, column: number, reason: string): BadRow {
  return { problems: [{ line, column, reason }] };
}

function countLineEnds(text: string): number {
  if (text.includes('\r')) return text.match(/\r\n|\r|\n/g)?.length ?? 0;
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
