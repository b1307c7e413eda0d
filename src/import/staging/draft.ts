import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { encodeNewPet } from '../../contract/pet.ts';
import { removeFile } from '../../files/retry-while-open.ts';
import type { GoodRow, ImportFormat } from '../read/row.ts';
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
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?, ?, ?)');
  return {
    path: file,
    add({ number, line, pet, source }: GoodRow): void {
      insert.run(number, line, encodeNewPet(pet), source);
    },
    /** Makes everything durable. */
    complete({ format, header }: { format: ImportFormat; header: string }): void {
      database.prepare('INSERT INTO file VALUES (?, ?)').run(format, header);
      database.exec('COMMIT');
    },
    close: database.close,
    /** Removes it, unless it became an import. */
    discard(): void {
      database.close();
      removeFile(file);
    },
  };
}
