import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { discardFile } from '../../files/retry-while-open.ts';
import type { ImportFormat } from '../read/row.ts';
import { createGroupWriter } from './row-groups.ts';
import { openStagingDatabase } from './staging.ts';

export type Draft = ReturnType<typeof createDraft>;

/**
 * Creates a staging database to be filled under a random name: nothing of it is sent, and a crash leaves nothing to keep.
 * Its lock is held until `close`, so that nobody takes it for one that a crash left.
 */
export function createDraft(folder: string) {
  const file = path.join(folder, `${randomBytes(8).toString('hex')}.draft`);
  const database = openStagingDatabase(file);
  // One transaction for all: nothing needs to be synced before the last row is there.
  database.exec('BEGIN');
  const { add, flush } = createGroupWriter(database);
  return {
    path: file,
    add,
    /** Makes everything durable. */
    complete({ format, header }: { format: ImportFormat; header: string }): void {
      flush();
      database.prepare('INSERT INTO file VALUES (?, ?)').run(format, header);
      database.exec('COMMIT');
    },
    close: database.close,
    /** Removes it, unless it became an import. */
    discard(): void {
      database.close();
      discardFile(file);
    },
  };
}
