import type { OutputFormat } from '../../contract/output-formats.ts';
import type { Terminal } from '../terminal.ts';
import { showUnsafe } from '../text/safe-text.ts';
import { createRowEncoder, type Facts } from './encode-json.ts';
import { openCsv } from './formats/csv.ts';
import { openJson, openNdjson } from './formats/json.ts';
import { openTable } from './formats/table.ts';
import { openHeldText } from './held-text.ts';
import type {
  Column,
  OpenFormat,
  RecordFormatter,
  RecordOptions,
  RecordSheet,
} from './record-sheet.ts';

/** Who writes each format. */
const formats = {
  table: openTable,
  json: openJson,
  ndjson: openNdjson,
  csv: openCsv,
} satisfies Record<OutputFormat, OpenFormat>;

/** Writes records of one kind to stdout in the format asked for. */
export interface RecordWriter<Row> {
  /** Resolves when the rows were written, or wait for the last one. */
  add(rows: readonly Row[]): Promise<void>;
  /** Writes what waited for the last row. */
  finish(): Promise<void>;
  /** Drops what still waits. */
  close(): Promise<void>;
}

/** The only way in which data becomes text: any number of rows, in constant memory where the format allows it. */
export function openRecordWriter<Row extends Facts>(
  terminal: Terminal,
  sheet: RecordSheet<Row>,
  options: RecordOptions = {},
): RecordWriter<Row> {
  const formatter = openFormatter(terminal, sheet, options);
  const held = formatter.isHeldBack ? openHeldText() : undefined;
  const write = async (text: string) => {
    if (text !== '') await terminal.stdout.write(text);
  };
  const take = held?.add ?? write;
  return {
    add: (rows) => take(formatter.add(rows)),
    finish: async () => {
      await take(await formatter.finish());
      for await (const text of held?.read() ?? []) await write(text);
    },
    close: async () => await held?.close(),
  };
}

/** Writes the records that `read` adds, group by group; none when it fails, in a format that holds them back. */
export async function writeRecordsOf<Row extends Facts, Result>(
  terminal: Terminal,
  sheet: RecordSheet<Row>,
  options: RecordOptions,
  read: (add: RecordWriter<Row>['add']) => Promise<Result>,
): Promise<Result> {
  const writer = openRecordWriter(terminal, sheet, options);
  try {
    const result = await read(writer.add);
    await writer.finish();
    return result;
  } finally {
    await writer.close();
  }
}

/** Writes records that are all there. */
export async function writeRecords<Row extends Facts>(
  terminal: Terminal,
  rows: readonly Row[],
  sheet: RecordSheet<Row>,
  options: RecordOptions = {},
): Promise<void> {
  await writeRecordsOf(terminal, sheet, options, (add) => add(rows));
}

function openFormatter<Row extends Facts>(
  terminal: Terminal,
  sheet: RecordSheet<Row>,
  options: RecordOptions,
): RecordFormatter<Row> {
  if (terminal.isQuiet) return openIds(sheet);
  const { fields, hasStringIds = false } = options;
  const all = sheet.columns.map(readColumn);
  const chosen = fields?.flatMap((field) => all.filter(({ name }) => name === field));
  return formats[terminal.format](
    {
      ...options,
      ...sheet,
      columns: chosen ?? all,
      encodeRow: createRowEncoder(chosen, hasStringIds),
    },
    terminal,
  );
}

function readColumn<Row extends Facts>(column: RecordSheet<Row>['columns'][number]): Column<Row> {
  if (column.value !== undefined) return column;
  const { name } = column;
  return { ...column, value: (row) => row[name] };
}

/** For --quiet, whatever the format. */
function openIds<Row>({ id }: RecordSheet<Row>): RecordFormatter<Row> {
  const formatId = (row: Row) => {
    const value = id(row);
    if (value === undefined) return '';
    return `${typeof value === 'string' ? showUnsafe(value) : String(value)}\n`;
  };
  return { add: (rows) => rows.map(formatId).join(''), finish: () => '' };
}
