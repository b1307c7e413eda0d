import type { Terminal } from '../../terminal.ts';
import { showUnsafe } from '../../text/safe-text.ts';
import { encodeJson, type Value } from '../encode-json.ts';
import type { RecordFormatter, RecordLayout } from '../record-sheet.ts';

/** Lines of CSV (RFC 4180), after a header with the names of the columns. A file gets the exact values. */
export function openCsv<Row>(
  { columns, isExcel = false }: RecordLayout<Row>,
  { stdout }: Terminal,
): RecordFormatter<Row> {
  const lineEnd = isExcel ? '\r\n' : '\n';
  const isForPeople = stdout.isTerminal;
  const formatCell = (value: Value): string => {
    // Excel rounds numbers of more than 15 digits, but takes a formula of a text as text.
    if (typeof value === 'bigint') return isExcel ? `"=""${value}"""` : String(value);
    const text = formatValue(value, isExcel);
    return quoteCell(isForPeople ? showUnsafe(text) : text);
  };
  let header = `${isExcel ? '\ufeff' : ''}${columns.map(({ name }) => name).join(',')}${lineEnd}`;
  const takeHeader = () => {
    const text = header;
    header = '';
    return text;
  };
  return {
    add(rows) {
      const lines = rows.map(
        (row) => columns.map(({ value }) => formatCell(value(row))).join(',') + lineEnd,
      );
      return takeHeader() + lines.join('');
    },
    finish: takeHeader,
  };
}

function formatValue(value: Exclude<Value, bigint>, isExcel: boolean): string {
  if (typeof value === 'string') return isExcel ? guardFormula(value) : value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? encodeJson(value) : String(value);
}

/** A name that looks guarded already gets one more apostrophe: the import takes exactly one off. */
function guardFormula(text: string): string {
  return /^'*\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quoteCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
