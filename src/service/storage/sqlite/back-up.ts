import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../errors.ts';
import type { StoreSummary } from '../store.ts';
import { checkFile } from './check-database.ts';
import { toUserError } from './errors.ts';
import { openExisting, type SqliteDatabase } from './open-database.ts';

/**
 * Copies a database into a new file, which gets its name only when it was read as a whole and is on the disk.
 * @throws UserError `cli_usage` for a file that is there already, `cli_database`
 */
export function backUpSqliteDatabase(database: SqliteDatabase, target: string): StoreSummary {
  if (existsSync(target)) {
    throw new UserError('cli_usage', `${target} exists already: a backup never replaces a file.`);
  }
  const connection = openExisting(database);
  const draft = path.resolve(`${target}.${randomUUID()}.partial`);
  try {
    connection.exec(`VACUUM INTO '${draft.replaceAll("'", "''")}'`);
    const summary = checkFile(draft, database.shown);
    sync(draft, 'r+');
    renameSync(draft, target);
    // The name is in the folder; Windows has no sync of one.
    if (process.platform !== 'win32') sync(path.dirname(path.resolve(target)), 'r');
    return summary;
  } catch (error) {
    throw toUserError(error, `The backup ${target} cannot be written`);
  } finally {
    connection.close();
    rmSync(draft, { force: true });
  }
}

function sync(file: string, flags: string): void {
  const descriptor = openSync(file, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
