import type { FileCheck } from '../../import/check-file.ts';
import type { ImportFile } from '../../import/import-file.ts';
import type { ImportFormat } from '../../import/row.ts';

export interface ImportCommandOptions {
  file: string;
  format?: ImportFormat;
  dryRun?: boolean;
  concurrency: number;
  rejects?: string;
  resume?: boolean;
  fresh?: boolean;
}

/** A file that was found good, and where it goes. */
export interface CheckedImport {
  file: ImportFile;
  check: FileCheck;
  options: ImportCommandOptions;
}
