/** A value in a column: int64 as bigint, a member that is absent as undefined. */
export type Value = string | number | bigint | boolean | null | undefined | readonly string[];

/** One column of a table and of CSV, and one member of a JSON object. */
export interface Column<Row> {
  /** The JSON member, the CSV header, and the word for `--fields`. */
  readonly name: string;
  /** In a table; the name in uppercase unless given. */
  readonly title?: string;
  value(row: Row): Value;
  /** The text in a table, where the value will not do. */
  show?(row: Row): string;
  color?(row: Row): Color | undefined;
  readonly align?: 'right';
  /** May be shortened with … where a terminal is too narrow. */
  readonly isShortened?: boolean;
  /** Left out of a table. */
  readonly isHidden?: boolean;
}

export type Color = 'green' | 'yellow' | 'red' | 'dim';

/** How rows of one kind are written; the first column is what `--output ids` prints. */
export interface RowLayout<Row> {
  readonly columns: readonly Column<Row>[];
  /** Said on a terminal in place of a table without rows. */
  readonly whenEmpty?: string;
}
