import * as v from 'valibot';
import { transact } from '../../../../files/transact.ts';
import { StoreOpenError } from '../../store.ts';
import { APPLICATION_ID } from './check-owner.ts';
import type { Connection } from './open-connection.ts';

/**
 * Each step takes the schema one version further, counted in `PRAGMA user_version`. Released steps are never edited and
 * nothing is ever dropped.
 *
 * `json` is built by SQLite when a row is stored, not when it is read; for speed, see bench/README.md.
 */
const steps: readonly string[] = [
  `CREATE TABLE pets (
     id INTEGER PRIMARY KEY,
     name TEXT NOT NULL,
     category_id INTEGER NOT NULL,
     status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
     json TEXT NOT NULL GENERATED ALWAYS AS (
       '{"id":' || id || ',"name":' || json_quote(name) || ',"categoryId":' || category_id ||
       ',"status":"' || status || '"}'
     ) STORED
   ) STRICT;
   CREATE INDEX pets_by_status ON pets (status, id);
   CREATE TABLE idempotency_keys (
     key TEXT PRIMARY KEY,
     pet_id INTEGER NOT NULL REFERENCES pets (id),
     created_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
   CREATE TABLE api_keys (
     id INTEGER PRIMARY KEY,
     hash BLOB NOT NULL UNIQUE,
     name TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     last_used_at INTEGER,
     expires_at INTEGER,
     revoked_at INTEGER
   ) STRICT;`,
  // Room that is written again and again to see whether the disk takes a write: as much as many pets need.
  `CREATE TABLE write_trial (id INTEGER PRIMARY KEY CHECK (id = 1), filler BLOB NOT NULL) STRICT;`,
  // Null for pets whose key or time was not recorded. Columns without an index: they cost an add next to nothing.
  `ALTER TABLE pets ADD COLUMN added_by INTEGER;
   ALTER TABLE pets ADD COLUMN added_at INTEGER;
   ALTER TABLE api_keys ADD COLUMN access TEXT NOT NULL DEFAULT 'write' CHECK (access IN ('read', 'write'));`,
];

const VersionRow = v.object({ user_version: v.pipe(v.bigint(), v.transform(Number)) });

/**
 * Brings the schema to the version of this program.
 * @throws StoreOpenError when the database was written by a newer program.
 */
export function migrate(database: Connection): void {
  if (readVersion(database) === steps.length) return;
  // Two programs may open a new database at once: the second waits here, then has nothing left to do.
  transact(database, () => {
    const version = readVersion(database);
    if (version > steps.length) {
      throw new StoreOpenError(
        `the database has schema version ${version}, this program knows only ${steps.length}: run a newer petstore`,
      );
    }
    for (const step of steps.slice(version)) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
}

/** @throws StoreOpenError when no program of ours wrote it. */
function readVersion(database: Connection, schema = 'main'): number {
  const row = database.prepare(`PRAGMA ${schema}.user_version`).get();
  const version = v.parse(VersionRow, row).user_version;
  if (version >= 0) return version;
  throw new StoreOpenError(
    `the database has schema version ${version}, which no petstore writes: restore a backup`,
  );
}

const MissingRow = v.optional(v.object({ part: v.string() }));

const selectMissing = `
  SELECT type || ' ' || name AS part FROM main.sqlite_schema ours WHERE NOT EXISTS (
    SELECT 1 FROM found.sqlite_schema WHERE type = ours.type AND name = ours.name
  )
  UNION ALL
  SELECT 'column ' || ours.name || '.' || column.name
  FROM main.sqlite_schema ours, pragma_table_xinfo(ours.name, 'main') column
  WHERE ours.type = 'table' AND NOT EXISTS (
    SELECT 1 FROM pragma_table_xinfo(ours.name, 'found') WHERE name = column.name
  ) LIMIT 1`;

/**
 * The first table, index or column that the schema `found` lacks of those of its version, in words: somebody dropped it.
 * Builds them in the schema `main`, which must be empty. @throws StoreOpenError like `migrate`
 */
export function findMissingPart(connection: Connection): string | undefined {
  for (const step of steps.slice(0, readVersion(connection, 'found'))) connection.exec(step);
  const missing = v.parse(MissingRow, connection.prepare(selectMissing).get());
  return missing === undefined ? undefined : `its ${missing.part} is missing`;
}
