import { UserError } from '../../../errors.ts';
import type { Database } from '../database-url.ts';
import { requireStore } from '../maintenance.ts';
import { type StoreTables, type TableName, tableNames, tables } from './tables.ts';

/** Rows read and written at once, so that memory does not grow with the store. */
const BATCH_SIZE = 1_000;

export type RowCounts = Readonly<Record<TableName, bigint>>;

export interface CopyOptions {
  /** Stops the copy between two batches. */
  readonly signal: AbortSignal;
  readonly onProgress: (table: TableName, done: bigint, total: bigint) => void;
}

/**
 * Copies everything in a store into an empty database: pets, idempotency keys and API keys, with their ids.
 * @throws UserError `cli_database`, and the signal's reason
 */
export async function copyStore(
  from: Database,
  to: Database,
  options: CopyOptions,
): Promise<RowCounts> {
  if (from.shown === to.shown) {
    throw new UserError(
      'cli_usage',
      'Both are the same database: name an empty one as the second.',
    );
  }
  await requireStore(from);
  const source = await openTables(from);
  try {
    const target = await openTables(to);
    try {
      return await copyTables({ source, target, shown: to.shown }, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

interface Copy {
  readonly source: StoreTables;
  readonly target: StoreTables;
  /** The target, in messages. */
  readonly shown: string;
}

async function copyTables({ source, target, shown }: Copy, options: CopyOptions) {
  const found = await countAll(target);
  if (tableNames.some((table) => found[table] > 0n)) {
    throw new UserError('cli_database', `${shown} is not empty: copy into an empty database.`);
  }
  const totals = await countAll(source);
  for (const table of tableNames) {
    await copyTable({ source, target }, table, (done) => {
      options.onProgress(table, done, totals[table]);
      options.signal.throwIfAborted();
    });
  }
  const copied = await countAll(target);
  const isWhole = tableNames.every((table) => copied[table] === totals[table]);
  if (isWhole && (await source.findLastPet()) === (await target.findLastPet())) return copied;
  throw new UserError(
    'cli_database',
    'The copy differs from its source: stop every service that uses either, and copy into another empty database.',
  );
}

async function copyTable(
  { source, target }: Pick<Copy, 'source' | 'target'>,
  table: TableName,
  report: (done: bigint) => void,
): Promise<void> {
  const { order } = tables[table];
  let done = 0n;
  let rows = await source.readRows(table, order === 'id' ? 0n : '', BATCH_SIZE);
  while (rows.length > 0) {
    await target.appendRows(table, rows);
    done += BigInt(rows.length);
    report(done);
    rows = await source.readRows(table, rows.at(-1)?.[order] ?? null, BATCH_SIZE);
  }
}

async function countAll(store: StoreTables): Promise<RowCounts> {
  return {
    pets: await store.countRows('pets'),
    idempotency_keys: await store.countRows('idempotency_keys'),
    api_keys: await store.countRows('api_keys'),
  };
}

/** Opens a database, with the newest schema, for a copy. @throws UserError `cli_database` */
async function openTables(database: Database): Promise<StoreTables> {
  if (database.kind === 'sqlite') {
    const { openSqliteTables } = await import('../sqlite/tables.ts');
    return openSqliteTables(database);
  }
  const { openPostgresTables } = await import('../postgres/tables.ts');
  return await openPostgresTables(database);
}
