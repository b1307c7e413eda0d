import type { Context } from '../../program/context.ts';
import { backUp, checkDatabase as checkStore } from '../../service/storage/maintenance.ts';
import type { StoreSummary } from '../../service/storage/store.ts';
import { type DatabaseOptions, findDatabase, withStore } from '../shared/database.ts';

export async function backUpDatabase(
  context: Context,
  file: string,
  options: DatabaseOptions,
): Promise<void> {
  const summary = await backUp(findDatabase(context, options), file);
  context.terminal.notice(`Backed up to ${file}, and checked: ${describe(summary)}.`);
}

export async function checkDatabase(context: Context, options: DatabaseOptions): Promise<void> {
  const database = findDatabase(context, options);
  const summary = await checkStore(database);
  context.terminal.notice(`${database.shown} is undamaged: ${describe(summary)}.`);
}

/** The schema is brought up to date by every opening; this one keeps a service off it meanwhile. */
export async function migrateDatabase(context: Context, options: DatabaseOptions): Promise<void> {
  const database = findDatabase(context, options);
  const isNew = await withStore(database, { isExclusive: true }, async (store) => store.isNew);
  const { shown } = database;
  context.terminal.notice(isNew ? `Created the tables in ${shown}.` : `${shown} is up to date.`);
}

function describe({ pets, apiKeys }: StoreSummary): string {
  return `${count(pets, 'pet')}, ${count(apiKeys, 'API key')}`;
}

function count(number: bigint, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1n ? '' : 's'}`;
}
