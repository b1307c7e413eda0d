import * as v from 'valibot';
import { type Row, type StoreTables, type TableName, tables } from '../copy/tables.ts';
import { Bigint } from './columns.ts';
import { toUserError } from './errors.ts';
import type { PostgresDatabase } from './open-postgres-store.ts';
import { openConnections } from './pool.ts';
import { migrate } from './schema.ts';

const types = {
  bigint: v.nullable(Bigint),
  text: v.string(),
  bytea: v.instance(Uint8Array),
} as const;

/** Opens a PostgreSQL database for a copy. @throws UserError `cli_database` */
export async function openPostgresTables({ url, shown }: PostgresDatabase): Promise<StoreTables> {
  const { query, transact, close } = openConnections(url);
  const explain = async <Result>(work: Promise<Result>): Promise<Result> => {
    return await work.catch((error) => {
      throw toUserError(error, shown);
    });
  };
  const findFigure = async (name: string, text: string) => {
    const [found] = await explain(query({ name, text, row: v.object({ figure: Bigint }) }, []));
    return found?.figure ?? 0n;
  };
  await explain(transact((client) => migrate(client, shown)));
  return {
    countRows: (table) => findFigure(`count_${table}`, `SELECT count(*) AS figure FROM ${table}`),
    findLastPet: () => findFigure('last_pet', 'SELECT coalesce(max(id), 0) AS figure FROM pets'),
    readRows: (table, after, limit) => explain(query(selectOf(table), [after, limit])),
    async appendRows(table, rows) {
      await explain(
        query(
          insertOf(table),
          columnsOf(table).map((name) => listValues(rows, name)),
        ),
      );
    },
    close,
  };
}

function selectOf(table: TableName) {
  const { order, columns } = tables[table];
  const row = Object.fromEntries(
    Object.entries(columns).map(([name, type]) => [name, types[type]]),
  );
  return {
    name: `read_${table}`,
    text: `SELECT ${Object.keys(columns).join()} FROM ${table} WHERE ${order} > $1 ORDER BY ${order} LIMIT $2`,
    row: v.object(row),
  };
}

function insertOf(table: TableName) {
  const columns = Object.entries(tables[table].columns);
  const names = columns.map(([name]) => name).join();
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join();
  return {
    name: `append_${table}`,
    text: `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays})`,
    row: v.object({}),
  };
}

function columnsOf(table: TableName): string[] {
  return Object.keys(tables[table].columns);
}

function listValues(rows: readonly Row[], name: string) {
  return rows.map((row) => row[name] ?? null);
}
