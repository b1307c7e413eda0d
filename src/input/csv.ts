import { CsvError, parse } from 'csv-parse/sync';

/** A record with the line it starts on, or what is wrong with that line. Blank lines are records of one empty cell. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly reason: string };

/** More than any row the service would take (64 KiB a body); beyond it a quotation mark was left open. */
const MAX_ROW_BYTES = 128 * 1024;
/** After so many lines that are not CSV the rest is not looked at. */
const MAX_FAILURES = 100;

const quoteReason =
  'has a lone quotation mark: remove it, or put the text in quotation marks and write those inside it twice';

/** The records of CSV (RFC 4180). Where the parser fails it starts again on the next line, so that all mistakes are found. */
export function readCsv(text: string, separator: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  const told = separatorLine.exec(text)?.[0] ?? '';
  let rest = text.slice(told.length);
  let line = told === '' ? 1 : 2;
  for (let failures = 0; failures < MAX_FAILURES; failures += 1) {
    const { rows, failedAt } = parseUntilFailure(rest, separator);
    for (const cells of rows) {
      records.push({ line, cells });
      line += 1 + countBreaks(cells);
    }
    if (failedAt === undefined) return records;
    records.push({ line, reason: quoteReason });
    rest = rest.slice(failedAt);
    const end = /\r\n|\r|\n/.exec(rest);
    if (end === null) return records;
    rest = rest.slice(end.index + end[0].length);
    line += 1;
  }
  return records;
}

/** @returns with the place, in characters, where a record starts that cannot be parsed, if one cannot. */
function parseUntilFailure(text: string, separator: string) {
  const options = {
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
  };
  try {
    return { rows: parse(text, options), failedAt: undefined };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const whole = Number(error.records);
    const rows = whole === 0 ? [] : parse(text, { ...options, to: whole });
    const failedAt = Buffer.from(text).toString('utf8', 0, Number(error.bytes)).length;
    return { rows, failedAt };
  }
}

function countBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

/** Tells Excel the separator. */
const separatorLine = /^"?sep=(.)"?[ \t]*(?:\r\n|\r|\n|$)/i;

/** The separator that such a line tells, else the one that cuts the first line with a letter into the most cells that are known. */
export function findSeparator(text: string, isKnown: (cell: string) => boolean): string {
  const told = separatorLine.exec(text)?.[1];
  if (told !== undefined) return told;
  const lines = text.slice(0, HEADER_CHARACTERS).split(/\r\n|\r|\n/);
  const header = lines.find((line) => /\p{L}/u.test(line)) ?? '';
  const count = (separator: string) => {
    const cells = header.split(separator).map((cell) => cell.replaceAll('"', '').trim());
    // Where none is known, more cells are better than fewer.
    return cells.filter(isKnown).length + cells.length / HEADER_CHARACTERS;
  };
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best));
}

const separators = [',', ';', '\t', '|'] as const;
/** Far more than a header takes. */
const HEADER_CHARACTERS = 64 * 1024;
