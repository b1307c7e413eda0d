import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { encodeNewPet } from '../../contract/pet.ts';
import type { GoodRow, ImportFormat } from '../read/row.ts';
import { openStagingDatabase } from './staging-database.ts';

/** A staging database that is being filled under a random name: nothing of it is sent, and a crash leaves nothing to keep. */
export interface Draft {
  path: string;
  add(row: GoodRow): void;
  /** Makes everything durable. */
  complete(file: { format: ImportFormat; header: string }): void;
  close(): void;
  /** Removes it, unless it became an import. */
  discard(): void;
}

/** Its lock is held until `close`, so that nobody takes it for one that a crash left. */
export function createDraft(folder: string): Draft {
  const file = path.join(folder, `${randomBytes(8).toString('hex')}.draft`);
  const database = openStagingDatabase(file);
  // One transaction for all: nothing needs to be synced before the last row is there.
  database.exec('BEGIN');
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?, ?, ?)');
  return {
    path: file,
    add: ({ number, line, pet, source }) =>
      void insert.run(number, line, encodeNewPet(pet), source),
    complete({ format, header }) {
      database.prepare('INSERT INTO file VALUES (?, ?)').run(format, header);
      database.exec('COMMIT');
    },
    close: database.close,
    discard() {
      database.close();
      rmSync(file, { force: true });
    },
  };
}
