import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { UserError } from '../../../errors.ts';
import { refuseNewer } from '../database-url.ts';
import { type Connection, connect, transact } from './connection.ts';

/** In the header of every database of this program (sqlite.org/pragma.html#pragma_application_id): "PETS". */
const APPLICATION_ID = 0x50455453n;

/** A pet as it is sent: built when it is stored, not when it is read. `db check` compares it with the columns. */
export const petJson = `'{"id":' || id || ',"name":' || json_quote(name) || ',"categoryId":' ||
  category_id || ',"status":"' || status || '"}'`;

/**
 * Each takes the schema one version further, counted in `PRAGMA user_version`. Released ones are never edited.
 * Times are milliseconds since the epoch. Indexes hold more columns than they need for a search: SQLite compares them with
 * the table's, and so finds a byte that was changed.
 */
const migrations: readonly string[] = [
  `CREATE TABLE pets (
     id INTEGER PRIMARY KEY,
     name TEXT NOT NULL,
     category_id INTEGER NOT NULL,
     status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
     added_by INTEGER NOT NULL,
     added_at INTEGER NOT NULL,
     json TEXT NOT NULL GENERATED ALWAYS AS (${petJson}) STORED
   ) STRICT;
   CREATE INDEX pets_by_status ON pets (status, id, added_by, added_at);
   CREATE TABLE idempotency_keys (
     key TEXT PRIMARY KEY,
     pet_id INTEGER NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at, pet_id);
   CREATE TABLE api_keys (
     id INTEGER PRIMARY KEY,
     hash BLOB NOT NULL UNIQUE,
     name TEXT NOT NULL,
     access TEXT NOT NULL CHECK (access IN ('read', 'write')),
     created_at INTEGER NOT NULL,
     last_used_at INTEGER,
     expires_at INTEGER,
     revoked_at INTEGER
   ) STRICT;
   CREATE INDEX api_keys_by_name
     ON api_keys (name, access, created_at, last_used_at, expires_at, revoked_at);
   CREATE TABLE write_checks (id INTEGER PRIMARY KEY CHECK (id = 1), checked_at INTEGER NOT NULL) STRICT;`,
];
const NEWEST = migrations.length;

const State = v.object({ owner: v.bigint(), version: v.bigint(), objects: v.bigint() });
const selectState = `SELECT application_id AS owner, user_version AS version,
  (SELECT count(*) FROM sqlite_schema) AS objects FROM pragma_application_id, pragma_user_version`;

/** @throws UserError for a database that is not ours, or newer than this program */
export function checkSchema(connection: Connection, shown: string): void {
  const { owner, version, objects } = v.parse(State, connection.prepare(selectState).get());
  const isEmpty = owner === 0n && objects === 0n;
  if (owner !== APPLICATION_ID && !isEmpty) {
    const message = `${shown} is a database of another program. Nothing was changed.`;
    throw new UserError('cli_database', message);
  }
  if (version > NEWEST) throw refuseNewer(shown);
}

/** Brings the schema to the version of this program. Of two programs at once, the second waits, then has nothing to do. */
export function migrate(connection: Connection): void {
  if (readVersion(connection) === NEWEST) return;
  transact(connection, () => {
    for (const sql of migrations.slice(readVersion(connection))) connection.exec(sql);
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${NEWEST}`);
  });
}

/** Whether the tables are those that this version creates. @param schema of an attached database, else `main` */
export function hasOwnSchema(connection: Connection, schema: string): boolean {
  const fresh = connect(':memory:');
  migrate(fresh);
  const select = (name: string) =>
    `SELECT type, name, tbl_name, sql FROM ${name}.sqlite_schema ORDER BY type, name`;
  const expected = fresh.prepare(select('main')).all();
  const isSame = isDeepStrictEqual(connection.prepare(select(schema)).all(), expected);
  fresh.close();
  return isSame;
}

function readVersion(connection: Connection): number {
  return Number(v.parse(State, connection.prepare(selectState).get()).version);
}
