import type { Environment } from '../../config/environments.ts';
import type { CheckedFile } from '../../import/check-file.ts';
import type { ImportFile } from '../../import/open-import-file.ts';
import type { ImportFormat } from '../../import/row.ts';
import type { Connection } from '../../program/context.ts';

export interface ImportOptions {
  readonly format?: ImportFormat;
  readonly rejects?: string;
  readonly again?: boolean;
  readonly dryRun?: boolean;
}

/** A file whose rows are all right, and where they go. */
export interface Delivery {
  /** As messages call the file. */
  readonly name: string;
  readonly file: ImportFile;
  readonly checked: CheckedFile;
  readonly environment: Environment;
  readonly options: ImportOptions;
  /** Connects once, when it is called first. */
  connect(): Promise<Connection>;
}
