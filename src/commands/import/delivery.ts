import type { Environment } from '../../config/environments.ts';
import type { CheckedFile } from '../../import/check-file.ts';
import type { ImportFormat, RawFile } from '../../import/row.ts';
import type { RowOutcome } from '../../import/send-rows.ts';

export interface ImportOptions {
  readonly format?: ImportFormat;
  readonly rejects?: string;
  readonly new?: boolean;
  readonly again?: boolean;
  readonly dryRun?: boolean;
}

/** A file whose rows are all right, and where they go. */
export interface Delivery extends CheckedFile, Pick<RawFile, 'otherColumns' | 'warnings'> {
  /** As messages call the file. */
  readonly name: string;
  /** Of the file, without its folder; empty for stdin, which has no name to be known by. */
  readonly baseName: string;
  readonly environment: Environment;
  readonly options: ImportOptions;
  readonly categoryNames: ReadonlyMap<bigint, string>;
  /** Of the records of imports. */
  readonly folder: string;
}

/** What this run knows of the rows so far. */
export interface Progress {
  /** By the row's number from 0; absent for a row that was not sent. */
  readonly outcomes: (RowOutcome | undefined)[];
  /** Why nothing more was sent, at which line. */
  stop: { readonly line: number; readonly error: unknown } | undefined;
  /** How many rows were in the store, although nothing on this computer says so. */
  found: number;
  /** Whether the next run of the same line will know of this one. */
  isRecorded: boolean;
}
