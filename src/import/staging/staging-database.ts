import { type LocalDatabase, openLocalDatabase } from '../../files/open-local-database.ts';

/**
 * `rows` are what will be sent and what it was in the file; `outcomes` what became of them. `announcements`: from `at`
 * on, rows up to this one may have been sent; none beyond the highest was.
 */
const schema = `
  CREATE TABLE local.file (format TEXT NOT NULL, header TEXT NOT NULL);
  CREATE TABLE local.rows (number INTEGER PRIMARY KEY, line INTEGER NOT NULL, body TEXT NOT NULL, source TEXT NOT NULL);
  CREATE TABLE local.outcomes (row INTEGER PRIMARY KEY, outcome TEXT NOT NULL, id INTEGER, detail TEXT);
  CREATE TABLE local.announcements (up_to INTEGER PRIMARY KEY, at INTEGER NOT NULL)`;

/** Opens the staging database of one import for this process alone. @throws DatabaseLockedError */
export function openStagingDatabase(file: string): LocalDatabase {
  return openLocalDatabase({ file, schema, version: 1, isExclusive: true });
}
