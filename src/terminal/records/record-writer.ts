import type { Terminal } from '../terminal.ts';
import { escapeUnsafe, showUnsafe } from '../text/safe-text.ts';
import { renderCsvCell } from './csv-cell.ts';

/** One fact, or several: what JSON can hold. Absent facts are null. */
type Fact = string | number | boolean | null | readonly Fact[] | Facts;
type Facts = { readonly [name: string]: Fact };

interface RecordColumn<T> {
  key: keyof T & string;
  title: string;
  /** For the table, where the plain value will not do. */
  show?(record: T): string;
}

export interface RecordSheet<T> {
  columns: readonly RecordColumn<T>[];
  /** What `--quiet` prints, one a line. */
  id: keyof T & string;
}

/** Writes records other than pets, such as environments, to stdout in the format asked for. JSON has every member, table and CSV the columns. */
export async function writeRecords<T extends Facts>(
  terminal: Terminal,
  records: readonly T[],
  sheet: RecordSheet<T>,
): Promise<void> {
  const text = await renderRecords(terminal, records, sheet);
  if (text !== '') await terminal.stdout.write(text);
}

/** Writes one record, which is not an array in JSON. */
export async function writeRecord<T extends Facts>(
  terminal: Terminal,
  record: T,
  sheet: RecordSheet<T>,
): Promise<void> {
  if (terminal.format !== 'json' || terminal.isQuiet) {
    return await writeRecords(terminal, [record], sheet);
  }
  await terminal.stdout.write(`${toJson(record)}\n`);
}

async function renderRecords<T extends Facts>(
  terminal: Terminal,
  records: readonly T[],
  { columns, id }: RecordSheet<T>,
): Promise<string> {
  if (terminal.isQuiet) return joinLines(records.map((record) => showUnsafe(String(record[id]))));
  switch (terminal.format) {
    case 'json':
      return renderArray(records);
    case 'ndjson':
      return joinLines(records.map((record) => toJson(record)));
    case 'csv': {
      const isForScreen = terminal.stdout.isTerminal;
      const rows = records.map((record) =>
        columns.map(({ key }) => renderCsvCell(toText(record[key] ?? ''), isForScreen)),
      );
      return joinLines([columns.map(({ key }) => key), ...rows].map((row) => row.join(',')));
    }
    case 'table':
      return records.length === 0 ? '' : await layOut(terminal, records, columns);
  }
}

async function layOut<T extends Facts>(
  { stdout }: Terminal,
  records: readonly T[],
  columns: readonly RecordColumn<T>[],
): Promise<string> {
  const [{ layOutFitting }, { createStyle }] = await Promise.all([
    import('./fit-table.ts'),
    import('../text/style.ts'),
  ]);
  const table = layOutFitting(
    columns.map(({ title }) => ({ title, align: 'left' })),
    records.map((record) => columns.map((column) => ({ text: showFact(record, column) }))),
    createStyle(stdout.hasColor).header,
    stdout,
  );
  return `${table}\n`;
}

function showFact<T extends Facts>(record: T, { key, show }: RecordColumn<T>): string {
  const text = show === undefined ? String(record[key] ?? '-') : show(record);
  return showUnsafe(text);
}

/** A record a line, as `list` prints pets. */
function renderArray(records: readonly unknown[]): string {
  if (records.length === 0) return '[]\n';
  return `[\n${records.map((record) => `  ${toJson(record)}`).join(',\n')}\n]\n`;
}

function toJson(value: unknown): string {
  return escapeUnsafe(JSON.stringify(value));
}

function toText(fact: Fact): string {
  return typeof fact === 'object' ? JSON.stringify(fact) : String(fact);
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
