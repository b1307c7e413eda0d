import { explainBreak } from '../input/explain-value.ts';
import { findField, type Header, locateColumn, readCells, readHeader } from './columns.ts';
import { type CsvRecord, readRecords } from './csv-records.ts';
import type { Mistake, RawRow, RowBatches, RowReader } from './row.ts';

const separators = [',', ';', '\t'] as const;

/** Reads CSV (RFC 4180) with a header and commas, semicolons, or tabs; blank rows are skipped. @param bytes UTF-8. */
export function createCsvReader(bytes: Buffer): RowReader {
  let header: Header | undefined;
  async function* read(): RowBatches {
    header = undefined;
    for await (const records of readRecords(bytes, findSeparator(bytes))) {
      const rows: (RawRow | Mistake)[] = [];
      for (const record of records) {
        if ('reason' in record) rows.push(record);
        else if (isBlank(record) || isSeparatorLine(record)) continue;
        else if (header !== undefined) rows.push(readRow(record, header));
        else {
          const found = readHeader(record.cells, record.line);
          if (!('fields' in found)) return yield found;
          header = found;
        }
      }
      yield rows;
    }
  }
  return {
    read,
    locate: (_, field) => (header === undefined ? { field } : locateColumn(header, field)),
  };
}

/** Far more than a header takes. */
const HEADER_BYTES = 64 * 1024;

/** The separator that cuts the header, the first line with a letter in it, into the most columns known here. */
function findSeparator(bytes: Buffer): string {
  const lines = bytes.toString('utf8', 0, HEADER_BYTES).split(/\r\n|\r|\n/);
  const header = lines.find((line) => /\p{L}/u.test(line) && !separatorLine.test(line)) ?? '';
  const count = (separator: string) =>
    header.split(separator).filter((name) => findField(name.replaceAll('"', ''))).length;
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** Tells Excel the separator, which cuts this line itself in two. */
const separatorLine = /^"?sep=/i;

function isSeparatorLine({ line, cells }: CsvRecord): boolean {
  return line === 1 && separatorLine.test(cells[0] ?? '');
}

function isBlank({ cells }: CsvRecord): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function readRow({ line, cells, hasBreak }: CsvRecord, header: Header): RawRow | Mistake {
  const values = hasBreak ? explainBreak(cells) : readCells(cells, header);
  return typeof values === 'string' ? { line, reason: values } : { line, values };
}
