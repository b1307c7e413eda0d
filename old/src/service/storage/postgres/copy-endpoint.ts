import * as v from 'valibot';
import { type CopyEndpoint, type Row, type Table, tables } from '../copy/copy-endpoint.ts';
import { maskDatabaseUrl } from '../database-engine.ts';
import { StoreOpenError } from '../store.ts';
import { Bigint, NoRow } from './columns.ts';
import { openConnection } from './connection/open-connection.ts';
import { openDatabase } from './connection/open-database.ts';

/** Counting a large table takes longer than a request may. */
const STATEMENT_TIMEOUT_MS = 10 * 60 * 1000;

/**
 * Held until the session ends. A database that was both source and target, under two spellings of its URL, would lose
 * its keys, which a copy deletes first.
 */
const lock = {
  name: 'lock_for_copy',
  text: `SELECT pg_try_advisory_lock('pets'::regclass::oid::bigint) AS "isOurs"`,
  row: v.object({ isOurs: v.boolean() }),
};

/** How each type of column is read. */
const types = {
  bigint: v.nullable(Bigint),
  text: v.string(),
  bytea: v.instance(Uint8Array),
  timestamptz: v.nullable(
    v.pipe(
      v.date(),
      v.transform((time) => BigInt(time.getTime())),
    ),
  ),
};

const statements = {
  pets: createStatements(tables.pets),
  idempotencyKeys: createStatements(tables.idempotencyKeys),
  apiKeys: createStatements(tables.apiKeys),
};

/** Opens a PostgreSQL database for a copy, and keeps every other copy off it meanwhile. @throws StoreOpenError */
export async function openPostgresCopyEndpoint(url: string): Promise<CopyEndpoint> {
  const config = await openDatabase(url);
  const { query, close } = openConnection({ ...config, statement_timeout: STATEMENT_TIMEOUT_MS });
  const [held] = await query(lock, []);
  if (!held?.isOurs) {
    await close();
    throw new StoreOpenError(
      `the database ${maskDatabaseUrl(url)} is already part of a copy: wait until it ends; --from and --to must be two databases`,
    );
  }
  return {
    countRows: async (kind) => (await query(statements[kind].count, []))[0]?.count ?? 0,
    readRows: (kind, after, limit) => query(statements[kind].read, [after, limit]),
    async appendRows(kind, rows, after) {
      const { order, columns } = tables[kind];
      const values = Object.entries(columns).map(([name, type]) => listValues(rows, name, type));
      const ids = order === 'id' ? [rows.at(-1)?.id ?? after, after] : [];
      return (await query(statements[kind].append, [...values, ...ids])).length > 0;
    },
    async clearRows(kind) {
      await query(statements[kind].clear, []);
    },
    close,
  };
}

function createStatements({ name, order, columns }: Table) {
  const entries = Object.entries(columns);
  const names = Object.keys(columns).join(', ');
  const batch = entries.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
  const takeIds = `UPDATE id_counters SET last_id = $${entries.length + 1}
    WHERE name = '${name}' AND last_id = $${entries.length + 2} RETURNING last_id`;
  return {
    count: {
      name: `count_${name}`,
      text: `SELECT count(*) AS count FROM ${name}`,
      row: v.object({ count: v.pipe(v.string(), v.transform(Number)) }),
    },
    read: {
      name: `read_${name}`,
      text: `SELECT ${names} FROM ${name} WHERE ${order} > $1 ORDER BY ${order} LIMIT $2`,
      row: v.object(Object.fromEntries(entries.map(([column, type]) => [column, types[type]]))),
    },
    append: {
      name: `append_${name}`,
      text: `
        WITH counted AS (${order === 'id' ? takeIds : 'SELECT 1'}), added AS (
          INSERT INTO ${name} (${names}) SELECT batch.* FROM counted CROSS JOIN unnest(${batch}) AS batch
        )
        SELECT 1 FROM counted`,
      row: v.unknown(),
    },
    clear: {
      name: `clear_${name}`,
      text: `WITH counted AS (UPDATE id_counters SET last_id = 0 WHERE name = '${name}') DELETE FROM ${name}`,
      row: NoRow,
    },
  };
}

/** A column of many rows as the driver takes it. */
function listValues(rows: readonly Row[], name: string, type: string) {
  return rows.map((row) => {
    const value = row[name] ?? null;
    return type === 'timestamptz' && value !== null ? new Date(Number(value)) : value;
  });
}
