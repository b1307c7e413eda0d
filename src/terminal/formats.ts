import type { Terminal } from './terminal.ts';

/** A value in a column: int64 as bigint, a member that is absent as undefined. */
export type Value = string | number | bigint | boolean | null | undefined;

/** One column of a table, of CSV, and one member of a JSON object. */
export interface Column<Row> {
  /** The JSON member, the CSV header, and the word for `--fields`; in a table uppercase. */
  readonly name: string;
  value(row: Row): Value;
  /** The text in a table, where the value will not do. */
  show?(row: Row): string;
  color?(row: Row): 'green' | 'yellow' | 'red' | 'dim' | undefined;
  readonly align?: 'right';
  /** May be shortened with … where a terminal is too narrow. */
  readonly isShortened?: boolean;
  /** Left out of a table. */
  readonly isHidden?: boolean;
}

/** How rows of one kind are written; the first column is what `--output ids` prints. */
export interface Sheet<Row> {
  readonly columns: readonly Column<Row>[];
  /** Said on a terminal in place of a table without rows. */
  readonly whenEmpty?: string;
}

export interface FormatOptions {
  /** `--fields`: names of columns, in the order to write them. */
  readonly fields?: readonly string[] | undefined;
  /** `--string-ids`: int64 as JSON strings. */
  readonly stringIds?: boolean | undefined;
}

/** Writes rows as they arrive where the format allows it; nothing of `table` and `json` before the last one has arrived. */
export async function writeRows<Row>(
  _terminal: Terminal,
  _sheet: Sheet<Row>,
  _rows: Iterable<Row> | AsyncIterable<Row>,
  _options: FormatOptions = {},
): Promise<void> {
  throw new Error('not written yet');
}

/** Writes one row: in JSON an object, not an array. */
export async function writeRow<Row>(
  _terminal: Terminal,
  _sheet: Sheet<Row>,
  _row: Row,
  _options: FormatOptions = {},
): Promise<void> {
  throw new Error('not written yet');
}
