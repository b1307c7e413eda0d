import { UserError } from '../errors.ts';
import type { OutputFormat } from '../output-formats.ts';
import type { Column, RowLayout, Value } from './row-layout.ts';
import { escapeUnsafe, showUnsafe } from './safe-text.ts';
import type { Terminal } from './terminal.ts';

export type { Color, Column, RowLayout } from './row-layout.ts';

export interface FormatOptions {
  /** `--fields`: names of columns, in the order to write them. */
  readonly fields?: readonly string[] | undefined;
  /** `--string-ids`: int64 as JSON strings. */
  readonly stringIds?: boolean | undefined;
}

type Batches<Row> = Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>;

/** Writes rows of one kind to stdout, in the format that was asked for. */
export interface Writer<Row> {
  /** Writes each batch as it arrives; of `table` and `json` nothing before the last one has. */
  writeRows(batches: Batches<Row>): Promise<void>;
  /** Writes one row, or one more: in JSON an object in place of an array, in CSV below one header. */
  writeRow(row: Row): Promise<void>;
}

/** @throws UserError `cli_usage` for a field that these rows do not have: before anything is sent. */
export function createWriter<Row>(
  terminal: Terminal,
  rowLayout: RowLayout<Row>,
  { fields, stringIds = false }: FormatOptions = {},
): Writer<Row> {
  const columns = selectColumns(rowLayout.columns, fields);
  const {
    whenEmpty,
    columns: [idColumn],
  } = rowLayout;
  const layout = { columns, idColumn, stringIds, whenEmpty, terminal };
  let isContinued = false;
  const writeAs = async (format: OutputFormat, batches: Batches<Row>) => {
    for await (const text of formats[format](batches, { ...layout, isContinued })) {
      if (text !== '') await terminal.write(text);
    }
    isContinued = true;
  };
  const formatOfOne = terminal.format === 'json' ? 'ndjson' : terminal.format;
  return {
    writeRows: (batches) => writeAs(terminal.format, batches),
    writeRow: (row) => writeAs(formatOfOne, [[row]]),
  };
}

interface SelectedLayout<Row> {
  readonly columns: readonly Column<Row>[];
  /** The first of all, whichever were selected. */
  readonly idColumn: Column<Row> | undefined;
  readonly stringIds: boolean;
  /** The same writer has written rows before. */
  readonly isContinued: boolean;
  readonly whenEmpty: string | undefined;
  readonly terminal: Terminal;
}

/** Rows in, text out: what is yielded is written at once. */
type Format = <Row>(batches: Batches<Row>, layout: SelectedLayout<Row>) => AsyncGenerator<string>;

/** The output formats; a new one is a function here and its name in `output-formats.ts`. */
const formats: Readonly<Record<OutputFormat, Format>> = {
  async *table(batches, { columns, whenEmpty, terminal }) {
    const rows = await collect(batches);
    if (rows.length === 0 && whenEmpty !== undefined) return terminal.notice(whenEmpty);
    const { formatTable } = await import('./table.ts');
    yield formatTable(columns, rows, terminal.stdout);
  },

  async *json(batches, layout) {
    const lines = (await collect(batches)).map((row) => formatObject(row, layout));
    yield lines.length === 0 ? '[]\n' : `[\n  ${lines.join(',\n  ')}\n]\n`;
  },

  async *ndjson(batches, layout) {
    for await (const rows of batches)
      yield rows.map((row) => `${formatObject(row, layout)}\n`).join('');
  },

  /** RFC 4180, but its lines end in \n alone. */
  async *csv(batches, { columns, isContinued, terminal }) {
    // A file gets the exact text, a terminal what is safe to show.
    const show = terminal.stdout.isTerminal ? showUnsafe : String;
    const formatLine = (values: readonly Value[]) =>
      `${values.map((value) => quoteCell(show(formatText(value ?? '')))).join(',')}\n`;
    if (!isContinued) yield formatLine(columns.map(({ name }) => name));
    for await (const rows of batches)
      yield rows.map((row) => formatLine(columns.map(({ value }) => value(row)))).join('');
  },

  async *ids(batches, { idColumn }) {
    for await (const rows of batches)
      yield rows.map((row) => `${showUnsafe(String(idColumn?.value(row)))}\n`).join('');
  },
};

async function collect<Row>(batches: Batches<Row>): Promise<Row[]> {
  const all: (readonly Row[])[] = [];
  for await (const rows of batches) all.push(rows);
  return all.flat();
}

function selectColumns<Row>(
  columns: readonly Column<Row>[],
  fields: readonly string[] | undefined,
): readonly Column<Row>[] {
  if (fields === undefined) return columns;
  return fields.map((field) => {
    const found = columns.find(({ name }) => name === field);
    if (found !== undefined) return { ...found, isHidden: false };
    const names = columns.map(({ name }) => name).join(', ');
    throw new UserError('cli_usage', `There is no field "${field}".`, {
      details: [`The fields are ${names}.`],
    });
  });
}

function formatObject<Row>(row: Row, { columns, stringIds }: SelectedLayout<Row>): string {
  let members = '';
  for (const { name, value } of columns) {
    const json = formatValue(value(row), stringIds);
    // The names of columns are words of our own, which need no escapes.
    if (json !== undefined) members += `${members === '' ? '' : ','}"${name}":${json}`;
  }
  return `{${members}}`;
}

/** JSON.stringify refuses a bigint. */
function formatValue(value: Value, stringIds: boolean): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'bigint') return stringIds ? `"${value}"` : String(value);
  return escapeUnsafe(JSON.stringify(value));
}

/** A list is one text outside JSON. */
function formatText(value: NonNullable<Value>): string {
  return Array.isArray(value) ? value.join('; ') : String(value);
}

function quoteCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
