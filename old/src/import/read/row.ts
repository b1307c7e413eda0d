import type { NewPet } from '../../contract/pet.ts';

export const importFormats = ['csv', 'json', 'ndjson'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** Where something is in the file, from 1: `column` counts the file's own columns in CSV, characters in JSON. */
export interface Place {
  line: number;
  column: number;
}

/** What is wrong at one place of the file. */
export interface Problem extends Place {
  /** The field of NewPet or the name the file gives the column, when one is to blame. */
  field?: string;
  reason: string;
}

/** One pet of the file. `number` counts the rows from 1; it identifies the row in its import. */
export interface GoodRow {
  number: number;
  line: number;
  pet: NewPet;
  /** The row as it is written in the file. */
  source: string;
}

/** A row that cannot be sent. */
export interface BadRow {
  problems: readonly Problem[];
}

/** A row as its format's reader returns it: members as in JSON, not checked yet. */
export interface RawRow {
  line: number;
  source: string;
  value: object;
  /** Where a member of this row is, or the row when it is absent; one function serves all rows of a file. */
  locate(row: RawRow, field: string): Place;
}

/** What a reader reports beside the rows, each once. */
export interface ReadOptions {
  onNotice(message: string): void;
  /** The line of column names as it is written in the file, its byte order mark included. */
  onHeader?(source: string): void;
}
