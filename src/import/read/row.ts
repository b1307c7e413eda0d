import type { NewPet } from '../../contract/pet.ts';

export const importFormats = ['csv', 'json', 'ndjson'] as const;
export type ImportFormat = (typeof importFormats)[number];

/**
 * What is wrong at one place of the file. Lines count from 1. `column` counts from 1 too: the file's own columns
 * in CSV, characters in JSON.
 */
export interface Problem {
  line: number;
  column: number;
  /** The field of NewPet or the name the file gives the column, when one is to blame. */
  field?: string;
  reason: string;
}

/** One animal of the file. `number` counts the rows from 1; it is the row's identity in the journal. */
export interface GoodRow {
  number: number;
  line: number;
  pet: NewPet;
}

/** A row that cannot be sent. */
interface BadRow {
  number: number;
  line: number;
  problems: readonly Problem[];
}

export type Row = GoodRow | BadRow;

/** A row as its format's reader hands it over: members as in JSON, not checked yet. */
export interface RawRow {
  number: number;
  line: number;
  value: unknown;
  /** What made `value` unreadable; it is not checked then. */
  problems?: readonly Problem[];
  /** Where a member stands, or the row when it is absent. */
  locate(field: string): Pick<Problem, 'line' | 'column'>;
}

/** What a reader tells the person beside the rows, each once. */
export interface ReadOptions {
  onNotice(message: string): void;
}
