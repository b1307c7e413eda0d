import type { Context } from '../../program/context.ts';
import { parseDatabaseUrl } from '../../service/storage/database-url.ts';
import { backUp, checkDatabase as checkStore } from '../../service/storage/maintenance.ts';
import type { StoreSummary } from '../../service/storage/store.ts';
import { formatCount, formatNumber } from '../../terminal/counts.ts';
import { openProgress } from '../../terminal/progress.ts';
import { type DatabaseOptions, findDatabase, withStore } from '../shared/database.ts';

export async function backUpDatabase(
  context: Context,
  file: string,
  options: DatabaseOptions,
): Promise<void> {
  const summary = await backUp(findDatabase(context, options), file);
  context.terminal.notice(`Backed up to ${file}, and checked: ${describeSummary(summary)}.`);
}

export async function checkDatabase(context: Context, options: DatabaseOptions): Promise<void> {
  const database = findDatabase(context, options);
  const summary = await checkStore(database);
  context.terminal.notice(`${database.shown} is undamaged: ${describeSummary(summary)}.`);
}

/** The schema is brought up to date by every opening; this one keeps a service off it meanwhile. */
export async function migrateDatabase(context: Context, options: DatabaseOptions): Promise<void> {
  const database = findDatabase(context, options);
  const isNew = await withStore(database, { isExclusive: true }, async (store) => store.isNew);
  const { shown } = database;
  context.terminal.notice(isNew ? `Created the tables in ${shown}.` : `${shown} is up to date.`);
}

function describeSummary({ pets, apiKeys }: StoreSummary): string {
  return `${formatCount(pets, 'pet')}, ${formatCount(apiKeys, 'API key')}`;
}

const words = { pets: 'pets', idempotency_keys: 'idempotency keys', api_keys: 'API keys' } as const;

export async function copyDatabase(context: Context, from: string, to: string): Promise<void> {
  const { terminal, signal } = context;
  const [source, target] = [parseDatabaseUrl(from), parseDatabaseUrl(to)];
  const { copyStore } = await import('../../service/storage/copy-store.ts');
  const progress = openProgress(terminal);
  try {
    const copied = await copyStore(source, target, {
      signal,
      onProgress: (table, done, total) =>
        progress.update(`Copying ${words[table]}: ${formatNumber(done)} of ${formatNumber(total)}`),
    });
    progress.end();
    terminal.notice(
      `Copied to ${target.shown}, and compared: ${formatCount(copied.pets, 'pet')}, ${formatCount(copied.api_keys, 'API key')}.`,
    );
  } finally {
    progress.end();
  }
}
