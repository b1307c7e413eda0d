import type { ImportFile } from '../../import/import-file.ts';
import type { FileCheck } from '../../import/read/check-file.ts';
import type { ImportFormat } from '../../import/read/row.ts';

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
