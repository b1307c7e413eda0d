import type { NewPet } from '../contract/pet.ts';

export const importFormats = ['csv', 'json', 'ndjson', 'xlsx'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** A row as its reader found it: values by field, not checked yet. */
export interface RawRow {
  /** From 1, as an editor or a spreadsheet counts. */
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** The row's own text, where a column is counted in characters. */
  readonly text?: string;
}

/** What is wrong at one place of the file. */
export interface Mistake {
  readonly line: number;
  /** A number from 1, or the letters of a spreadsheet. Absent: the whole row. */
  readonly column?: number | string;
  /** The field of a pet, or the name of the column, when one is to blame. */
  readonly field?: string;
  /** What is wrong with which value, and the cure. */
  readonly reason: string;
}

/** Rows of a file, some at a time: to wait for each would take longer than to read it. */
export type RowBatches = AsyncIterable<readonly (RawRow | Mistake)[]>;

/** The rows of a file; every call of `read` reads them anew, so that no file is held as objects. */
export interface RowReader {
  read(): RowBatches;
  /** Where a field is in a row, as its author calls the place. */
  locate(row: RawRow, field: string): Pick<Mistake, 'column' | 'field'>;
}

/** A row that can be sent. */
export interface PetRow {
  /** Counts the rows from 1, without blank ones. */
  readonly number: number;
  readonly line: number;
  readonly pet: NewPet;
  /** Whether the file gives it an id, which is ignored. */
  readonly hasId: boolean;
}
