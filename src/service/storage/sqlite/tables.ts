import * as v from 'valibot';
import { type StoreTables, type TableName, tables } from '../copy/tables.ts';
import { type Connection, closeConnection, transact } from './connection.ts';
import { holdLock, openDatabase, type SqliteDatabase } from './open-database.ts';

const Rows = v.array(
  v.record(v.string(), v.union([v.bigint(), v.string(), v.null(), v.instance(Uint8Array)])),
);
const Figure = v.object({ figure: v.bigint() });

/** Opens a SQLite database for a copy, and keeps every service off it meanwhile. @throws UserError `cli_database` */
export function openSqliteTables(database: SqliteDatabase): StoreTables {
  const lock = holdLock(database);
  const connection = openDatabase(database);
  const statements = {
    pets: prepareTable(connection, 'pets'),
    idempotency_keys: prepareTable(connection, 'idempotency_keys'),
    api_keys: prepareTable(connection, 'api_keys'),
  };
  const lastPet = connection.prepare('SELECT coalesce(max(id), 0) AS figure FROM pets');
  return {
    countRows: async (table) => v.parse(Figure, statements[table].count.get()).figure,
    findLastPet: async () => v.parse(Figure, lastPet.get()).figure,
    readRows: async (table, after, limit) =>
      v.parse(Rows, statements[table].read.all(after, limit)),
    async appendRows(table, rows) {
      transact(connection, () => {
        for (const row of rows) statements[table].insert.run(row);
      });
    },
    async close() {
      closeConnection(connection);
      lock.close();
    },
  };
}

function prepareTable(connection: Connection, table: TableName) {
  const { order, columns } = tables[table];
  const names = Object.keys(columns);
  return {
    count: connection.prepare(`SELECT count(*) AS figure FROM ${table}`),
    read: connection.prepare(
      `SELECT ${names.join()} FROM ${table} WHERE ${order} > ? ORDER BY ${order} LIMIT ?`,
    ),
    insert: connection.prepare(
      `INSERT INTO ${table} (${names.join()}) VALUES (${names.map((name) => `:${name}`).join()})`,
    ),
  };
}
