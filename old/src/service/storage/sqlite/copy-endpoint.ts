import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { transact } from '../../../files/transact.ts';
import { type CopyEndpoint, type CopyRole, type Table, tables } from '../copy/copy-endpoint.ts';
import { StoreOpenError } from '../store.ts';
import type { Connection } from './connection/open-connection.ts';
import { type ExclusiveDatabase, openExclusiveDatabase } from './connection/open-database.ts';
import { explainOpening, settle } from './connection/store-error.ts';

const Value = v.union([v.bigint(), v.string(), v.null(), v.instance(Uint8Array)]);
const Rows = v.array(v.record(v.string(), Value));
const Count = v.object({ count: v.pipe(v.bigint(), v.transform(Number)) });
const Last = v.object({ id: v.bigint() });

/** Opens a SQLite database for a copy, and keeps every service off it meanwhile. @throws StoreOpenError */
export async function openSqliteCopyEndpoint(path: string, role: CopyRole): Promise<CopyEndpoint> {
  if (role === 'source' && !existsSync(path)) {
    throw new StoreOpenError(`there is no database at ${path}`);
  }
  return await explainOpening(path, async () => buildCopyEndpoint(openExclusiveDatabase(path)));
}

function buildCopyEndpoint({ database, close }: ExclusiveDatabase): CopyEndpoint {
  const statements = {
    pets: prepareTable(database, tables.pets),
    idempotencyKeys: prepareTable(database, tables.idempotencyKeys),
    apiKeys: prepareTable(database, tables.apiKeys),
  };
  return {
    countRows: (kind) => settle(() => v.parse(Count, statements[kind].count.get()).count),
    readRows: (kind, after, limit) =>
      settle(() => v.parse(Rows, statements[kind].read.all(after, limit))),
    appendRows: (kind, rows, after) =>
      settle(() =>
        transact(database, () => {
          const { last, insert } = statements[kind];
          if (tables[kind].order === 'id' && v.parse(Last, last.get()).id !== after) return false;
          for (const row of rows) insert.run(row);
          return true;
        }),
      ),
    clearRows: (kind) => settle(() => transact(database, () => void statements[kind].clear.run())),
    close: async () => close(),
  };
}

function prepareTable(database: Connection, { name, order, columns }: Table) {
  const names = Object.keys(columns);
  return {
    count: database.prepare(`SELECT count(*) AS count FROM ${name}`),
    last: database.prepare(`SELECT coalesce(max(${order}), 0) AS id FROM ${name}`),
    read: database.prepare(
      `SELECT ${names.join()} FROM ${name} WHERE ${order} > ? ORDER BY ${order} LIMIT ?`,
    ),
    insert: database.prepare(
      `INSERT INTO ${name} (${names.join()}) VALUES (${names.map((column) => `:${column}`).join()})`,
    ),
    clear: database.prepare(`DELETE FROM ${name}`),
  };
}
