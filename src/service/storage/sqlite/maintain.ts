import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { UserError } from '../../../errors.ts';
import type { StoreSummary } from '../store.ts';
import { type Connection, connect, toUserError } from './connection.ts';
import {
  createPrivateFile,
  openExisting,
  type SqliteDatabase,
  withDatabaseErrors,
} from './open-database.ts';
import { hasOwnSchema, petJson } from './schema.ts';

const Problems = v.tuple([v.object({ integrity_check: v.string() })]);
const Summary = v.object({
  pets: v.bigint(),
  apiKeys: v.bigint(),
  orphans: v.bigint(),
  changed: v.nullable(v.bigint()),
});
const selectSummary = `SELECT (SELECT count(*) FROM pets) AS pets,
  (SELECT count(*) FROM api_keys) AS apiKeys,
  (SELECT count(*) FROM idempotency_keys WHERE pet_id NOT IN (SELECT id FROM pets)) AS orphans,
  (SELECT min(id) FROM pets WHERE json <> ${petJson}) AS changed`;

export function checkSqliteDatabase(database: SqliteDatabase): StoreSummary {
  const connection = openExisting(database);
  try {
    return withDatabaseErrors(database, () => checkConnection(connection, database.shown));
  } finally {
    connection.close();
  }
}

/** The same for a file of nobody else, which is let go at once: a closed connection would hold it until it is collected. */
function checkFile(file: string, shown: string): StoreSummary {
  const connection = connect(':memory:');
  connection.exec(`ATTACH '${file.replaceAll("'", "''")}' AS found`);
  try {
    return checkConnection(connection, shown, 'found');
  } finally {
    connection.exec('DETACH found');
    connection.close();
  }
}

function checkConnection(connection: Connection, shown: string, schema = 'main'): StoreSummary {
  const refuseDamaged = (problem: string) =>
    new UserError('cli_database', `${shown} is damaged (${problem}): restore a backup.`);
  // In one transaction, so that all of it is about one moment.
  connection.exec('BEGIN');
  try {
    const rows = connection.prepare('PRAGMA integrity_check(1)').all();
    const [{ integrity_check: problem }] = v.parse(Problems, rows);
    if (problem !== 'ok') throw refuseDamaged(problem);
    const { orphans, changed, ...summary } = v.parse(
      Summary,
      connection.prepare(selectSummary).get(),
    );
    if (orphans > 0n) throw refuseDamaged('the pet of an idempotency key is missing');
    if (changed !== null)
      throw refuseDamaged(`pet ${changed} differs from the JSON stored with it`);
    if (!hasOwnSchema(connection, schema))
      throw refuseDamaged('its tables are not those of a pet store');
    return summary;
  } finally {
    connection.exec('ROLLBACK');
  }
}

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
    createPrivateFile(draft);
    connection.exec(`VACUUM INTO '${draft.replaceAll("'", "''")}'`);
    const summary = checkFile(draft, database.shown);
    sync(draft, 'r+');
    renameSync(draft, target);
    // The name is in the folder; Windows has no sync of one.
    if (process.platform !== 'win32') sync(path.dirname(path.resolve(target)), 'r');
    return summary;
  } catch (error) {
    throw toUserError(error, `The backup ${target} cannot be written`, draft);
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
