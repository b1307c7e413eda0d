import type { NewPet } from '../contract/pet.ts';

export const importFormats = ['csv', 'json', 'ndjson', 'xlsx'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** A row that can be sent. */
export interface PetRow {
  /** Counts the rows from 1, without blank ones. */
  readonly number: number;
  /** From 1, as an editor or a spreadsheet counts. */
  readonly line: number;
  readonly pet: NewPet;
}

export interface Mistake {
  readonly line: number;
  /** Of a table, by its letter. Absent: the whole row. */
  readonly column?: string;
  /** The field of a pet, or the name of the column, when one is to blame. */
  readonly field?: string;
  /** What is wrong with which value, and the cure. */
  readonly reason: string;
}

export interface Place {
  readonly column?: string;
  /** The name that the file gives the field. */
  readonly title: string;
}

/** A row as it was found: the values that a pet has, not checked yet. */
export interface RawRow {
  readonly line: number;
  readonly values: Readonly<Partial<Record<Field, unknown>>>;
  readonly places: Places;
}

export type Places = Readonly<Partial<Record<Field, Place>>>;

/** What a column can mean: `category` is a number or a name; `id` and `reason` are read past without a word. */
export type Field = 'name' | 'categoryId' | 'category' | 'status' | 'id' | 'reason';

export interface RawFile {
  readonly rows: readonly (RawRow | Mistake)[];
  /** Columns that are not a pet's, as messages call them. */
  readonly otherColumns: readonly string[];
  /** What somebody should look at before the rows are added. */
  readonly warnings: readonly string[];
}
