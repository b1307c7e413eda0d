import { UserError } from '../../../errors.ts';
import type { Database } from '../database-url.ts';
import { requireStore } from '../maintenance.ts';
import { type CopyTarget, openCopyTarget } from './postgres-target.ts';
import { type CopySource, openCopySource } from './sqlite-source.ts';
import { type Figures, type TableName, tableNames } from './tables.ts';

export interface CopyOptions {
  /** Stops the copy between two batches. */
  readonly signal: AbortSignal;
  readonly onProgress: (table: TableName, done: bigint, total: bigint) => void;
}

/**
 * Copies everything in a SQLite store into an empty PostgreSQL database: pets, idempotency keys and API keys, with their
 * ids. No service may run on either. @throws UserError `cli_usage`, `cli_database`, and the signal's reason
 */
export async function copyStore(
  from: Database,
  to: Database,
  options: CopyOptions,
): Promise<Figures> {
  if (from.kind !== 'sqlite' || to.kind !== 'postgres') {
    throw new UserError(
      'cli_usage',
      'A copy goes from sqlite:<path> to postgres://…, not elsewhere.',
    );
  }
  await requireStore(from);
  const source = openCopySource(from);
  try {
    const target = await openCopyTarget(to);
    try {
      await checkEmpty(target, to.shown);
      for (const table of tableNames) await copyTable(source, target, table, options);
      return await compare(source, target);
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

async function checkEmpty(target: CopyTarget, shown: string): Promise<void> {
  const found = await target.readFigures();
  if (tableNames.every((table) => found[table] === 0n)) return;
  throw new UserError('cli_database', `${shown} is not empty: copy into an empty database.`);
}

async function copyTable(
  source: CopySource,
  target: CopyTarget,
  table: TableName,
  { signal, onProgress }: CopyOptions,
): Promise<void> {
  const total = source.readFigures()[table];
  let done = 0n;
  for (const rows of source.readBatches(table)) {
    await target.appendRows(table, rows);
    done += BigInt(rows.length);
    onProgress(table, done, total);
    signal.throwIfAborted();
  }
}

async function compare(source: CopySource, target: CopyTarget): Promise<Figures> {
  const [copied, expected] = [await target.readFigures(), source.readFigures()];
  const isWhole = tableNames.every((table) => copied[table] === expected[table]);
  if (isWhole && copied.last_pet === expected.last_pet) return copied;
  throw new UserError(
    'cli_database',
    'The copy differs from its source: stop every service that uses it, and copy into another empty database.',
  );
}
