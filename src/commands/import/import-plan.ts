import type { ImportFormat } from '../../import/read/row.ts';
import type { Draft } from '../../import/staging/draft.ts';
import type { ImportSubject } from '../../import/staging/import-records.ts';
import type { RunningImport, StartedImport } from '../../import/staging/imports.ts';

export interface ImportCommandOptions {
  file?: string;
  format?: ImportFormat;
  dryRun?: boolean;
  concurrency: number;
  rejects?: string;
  /** With the id of an import, or the file, where it has a value. */
  resume?: true | string;
  fresh?: boolean;
}

/** What is imported, where to, and what earlier runs left of it. */
export interface ImportPlan {
  options: ImportCommandOptions;
  /** What the person calls the input. */
  name: string;
  /** As it was typed; undefined for what cannot be read again. */
  file: string | undefined;
  subject: ImportSubject;
  /** How the input was written, for its rejected rows. */
  source: { format: ImportFormat; header: string };
  /** What was staged now; undefined when only an earlier run can be resumed. */
  draft: Draft | undefined;
  known: StartedImport | undefined;
}

/** What is done with the staged rows. */
export type RunChoice =
  | { kind: 'start'; draft: Draft }
  | { kind: 'resume'; running: RunningImport };
