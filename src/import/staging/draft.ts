import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { encodeNewPet } from '../../contract/pet.ts';
import type { LocalDatabase } from '../../files/open-local-database.ts';
import { discardFile } from '../../files/retry-while-open.ts';
import type { GoodRow, ImportFormat } from '../read/row.ts';
import { openStagingDatabase } from './staging.ts';

/** Rows of one statement: calling the database costs more than a row. */
const GROUP_ROWS = 100;

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
  const insertGroup = prepareInsert(database, GROUP_ROWS);
  let group: (number | string)[] = [];
  const insertRest = () => {
    const rows = group.length / COLUMNS;
    if (rows > 0) prepareInsert(database, rows).run(...group);
    group = [];
  };
  return {
    path: file,
    add({ number, line, pet, source }: GoodRow): void {
      group.push(number, line, encodeNewPet(pet), source);
      if (group.length < GROUP_ROWS * COLUMNS) return;
      insertGroup.run(...group);
      group = [];
    },
    /** Makes everything durable. */
    complete({ format, header }: { format: ImportFormat; header: string }): void {
      insertRest();
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

/** Number, line, body and source. */
const COLUMNS = 4;

function prepareInsert(database: LocalDatabase, rows: number) {
  return database.prepare(`INSERT INTO rows VALUES ${Array(rows).fill('(?, ?, ?, ?)').join(', ')}`);
}
