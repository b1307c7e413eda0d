import * as v from 'valibot';
import { closeConnection } from '../sqlite/connection.ts';
import { holdLock, openDatabase, type SqliteDatabase } from '../sqlite/open-database.ts';
import { type Figures, type Row, selectFigures, type TableName, tables } from './tables.ts';

/** Rows read at once, so that memory does not grow with the store. */
const BATCH_SIZE = 1_000;

const Rows = v.array(
  v.record(v.string(), v.union([v.bigint(), v.string(), v.null(), v.instance(Uint8Array)])),
);
const FiguresRow = v.object({
  pets: v.bigint(),
  idempotency_keys: v.bigint(),
  api_keys: v.bigint(),
  last_pet: v.bigint(),
});

export interface CopySource {
  readFigures(): Figures;
  /** Every row of a table, in its order. */
  readBatches(table: TableName): Iterable<Row[]>;
  close(): void;
}

/** Opens a SQLite database that is copied, and keeps every service off it meanwhile. @throws UserError `cli_database` */
export function openCopySource(database: SqliteDatabase): CopySource {
  const lock = holdLock(database);
  const connection = openDatabase(database);
  return {
    readFigures: () => v.parse(FiguresRow, connection.prepare(selectFigures).get()),

    *readBatches(table) {
      const { order, columns } = tables[table];
      const names = Object.keys(columns).join();
      const select = connection.prepare(
        `SELECT ${names} FROM ${table} WHERE ${order} > ? ORDER BY ${order} LIMIT ${BATCH_SIZE}`,
      );
      let after: Row[string] = order === 'id' ? 0n : '';
      for (;;) {
        const rows: Row[] = v.parse(Rows, select.all(after));
        if (rows.length === 0) return;
        yield rows;
        after = rows.at(-1)?.[order] ?? null;
      }
    },

    close() {
      closeConnection(connection);
      lock.close();
    },
  };
}
