import * as v from 'valibot';
import { Bigint } from '../postgres/columns.ts';
import { toUserError } from '../postgres/errors.ts';
import type { PostgresDatabase } from '../postgres/open-postgres-store.ts';
import { openConnections } from '../postgres/pool.ts';
import { migrate } from '../postgres/schema.ts';
import { type Figures, type Row, selectFigures, type TableName, tables } from './tables.ts';

const figures = {
  name: 'figures',
  text: selectFigures,
  row: v.object({ pets: Bigint, idempotency_keys: Bigint, api_keys: Bigint, last_pet: Bigint }),
};

export interface CopyTarget {
  readFigures(): Promise<Figures>;
  appendRows(table: TableName, rows: readonly Row[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the PostgreSQL database that becomes the copy. Each function throws UserError `cli_database`. */
export async function openCopyTarget({ url, shown }: PostgresDatabase): Promise<CopyTarget> {
  const connections = openConnections(url);
  await migrate(connections, shown);
  async function explain<Result>(work: Promise<Result>): Promise<Result> {
    return await work.catch((error) => {
      throw toUserError(error, shown);
    });
  }
  return {
    async readFigures() {
      const [row] = await explain(connections.query(figures, []));
      if (row === undefined) throw new Error('a SELECT of figures returned no row');
      return row;
    },
    async appendRows(table, rows) {
      const columns = Object.keys(tables[table].columns);
      const values = columns.map((name) => rows.map((row) => row[name] ?? null));
      await explain(connections.query(insertInto(table), values));
    },
    close: connections.close,
  };
}

function insertInto(table: TableName) {
  const columns = Object.entries(tables[table].columns);
  const names = columns.map(([name]) => name).join();
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join();
  return {
    name: `append_${table}`,
    text: `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays})`,
    row: v.object({}),
  };
}
