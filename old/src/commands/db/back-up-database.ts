import type { Context } from '../../program/context/context.ts';
import { type DatabaseOptions, describeHoldings, withDatabase } from './with-database.ts';

interface BackupOptions extends DatabaseOptions {
  file: string;
}

/** Copies a store, which may be in use, into a new file. @throws UserError */
export async function backUpDatabase(
  context: Context,
  { file, ...options }: BackupOptions,
): Promise<void> {
  await withDatabase(context, options, async (url, database) => {
    const { backUpStore } = await import('../../service/storage/databases.ts');
    const found = await backUpStore(url, file, context.signal);
    const { pets, apiKeys } = found;
    const message = `Backed up ${database} to ${file} and checked the copy: ${describeHoldings(found)}`;
    context.terminal.notice(message, { database, file, pets, apiKeys });
  });
}
