import type { Terminal } from '../terminal.ts';
import type { Style } from '../text/style.ts';
import type { Value } from './encode-json.ts';

interface ColumnLook<Row> {
  /** Title in a table; a column without one is left out of it. */
  readonly heading?: string;
  /** For people, where the plain value will not do. */
  show?(row: Row): string;
  /** Colors what is shown. */
  mark?(text: string, row: Row, style: Style): string;
  readonly align?: 'left' | 'right';
  /** What a terminal that is too narrow may do to the text; by default it is folded between words. */
  readonly overflow?: 'fold' | 'shorten' | 'none';
}

/** A member of the row by its name, or a value found in it. CSV has the name as its title. */
type ColumnSource<Row> =
  | { readonly name: keyof Row & string; readonly value?: undefined }
  | { readonly name: string; value(row: Row): Value };

/** How the records of one kind are written, whatever the format. */
export interface RecordSheet<Row> {
  readonly columns: readonly (ColumnLook<Row> & ColumnSource<Row>)[];
  /** What --quiet prints per row, if anything. */
  id(row: Row): Value;
  /** Said to people in place of a table without rows. */
  readonly emptyNotice?: string;
}

export interface RecordOptions {
  /** Names of the columns to write, in this order. Without them JSON has every member of a row. */
  readonly fields?: readonly string[];
  /** int64 as strings in JSON. */
  readonly hasStringIds?: boolean;
  /** CSV as Excel opens it: byte order mark, CRLF, ids as text, nothing taken for a formula. */
  readonly isExcel?: boolean;
  /** This is the only record: in JSON it is not an array. */
  readonly isSingle?: boolean;
  /** Every row stands for itself, so that half of a JSON array is better than none. */
  readonly isLog?: boolean;
}

/** A column whose value is read by a function. */
export type Column<Row> = ColumnLook<Row> & { readonly name: string; value(row: Row): Value };

/** What a format is given. */
export interface RecordLayout<Row> extends RecordOptions {
  readonly columns: readonly Column<Row>[];
  readonly emptyNotice?: string;
  /** One row as JSON, safe to print. */
  encodeRow(row: Row): string;
}

/** Turns rows into text. What is returned is written at once, unless all of it is held back. */
export interface RecordFormatter<Row> {
  add(rows: readonly Row[]): string;
  finish(): string | Promise<string>;
  /** A part of the text is worth nothing: it is written when all of it is there. */
  readonly isHeldBack?: boolean;
}

export type OpenFormat = <Row>(
  layout: RecordLayout<Row>,
  terminal: Terminal,
) => RecordFormatter<Row>;
