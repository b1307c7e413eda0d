import { escapeUnsafe, showUnsafe } from './safe-text.ts';
import type { Terminal } from './terminal.ts';

/** One fact, or several: what JSON can hold. Absent facts are null. */
export type Fact =
  | string
  | number
  | boolean
  | null
  | readonly Fact[]
  | { readonly [name: string]: Fact };

export interface RecordColumn<T> {
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
export async function writeRecords<T extends { readonly [name: string]: Fact }>(
  terminal: Terminal,
  records: readonly T[],
  sheet: RecordSheet<T>,
): Promise<void> {
  const text = await renderRecords(terminal, records, sheet);
  if (text !== '') await terminal.stdout.write(text);
}

/** Writes one record: a single object in JSON, a line for each member in a table. */
export async function writeRecord<T extends { readonly [name: string]: Fact }>(
  terminal: Terminal,
  record: T,
  sheet: RecordSheet<T>,
): Promise<void> {
  if (terminal.isQuiet || terminal.format === 'csv' || terminal.format === 'ndjson') {
    return await writeRecords(terminal, [record], sheet);
  }
  if (terminal.format === 'json') return await terminal.stdout.write(`${toJson(record)}\n`);
  const rows = sheet.columns.map((column) => [column.title, showFact(record, column)]);
  await terminal.stdout.write(await layOut(terminal, undefined, rows));
}

async function renderRecords<T extends { readonly [name: string]: Fact }>(
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
      const rows = records.map((record) => columns.map(({ key }) => quote(record[key] ?? '')));
      return joinLines([columns.map(({ key }) => key), ...rows].map((row) => row.join(',')));
    }
    case 'table': {
      const rows = records.map((record) => columns.map((column) => showFact(record, column)));
      return rows.length === 0
        ? ''
        : await layOut(
            terminal,
            columns.map(({ title }) => title),
            rows,
          );
    }
  }
}

async function layOut(
  { stdout }: Terminal,
  titles: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
): Promise<string> {
  const [{ layOutTable }, { createStyle }] = await Promise.all([
    import('./table.ts'),
    import('./style.ts'),
  ]);
  const { header } = createStyle(stdout.hasColor);
  const columns = (titles ?? ['', '']).map((title) => ({ title, align: 'left' as const }));
  const cells = rows.map((row) =>
    row.map((text, index) =>
      titles === undefined && index === 0 ? { text, mark: header } : { text },
    ),
  );
  const table = layOutTable(columns, cells, header);
  return `${titles === undefined ? table.slice(table.indexOf('\n') + 1) : table}\n`;
}

function showFact<T extends { readonly [name: string]: Fact }>(
  record: T,
  { key, show }: RecordColumn<T>,
): string {
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

/** RFC 4180, section 2. */
function quote(fact: Fact): string {
  const text = typeof fact === 'object' ? JSON.stringify(fact) : String(fact);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
