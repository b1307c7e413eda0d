import type { Context } from '../../program/context/context.ts';
import { type DatabaseOptions, describeHoldings, withDatabase } from './with-database.ts';

/** Reads all of a store, which may be in use, and says whether it is whole. @throws UserError */
export async function checkDatabase(context: Context, options: DatabaseOptions): Promise<void> {
  await withDatabase(context, options, async (url, database) => {
    const { checkStore } = await import('../../service/storage/databases.ts');
    const found = await checkStore(url);
    const { pets, apiKeys } = found;
    const message = `${database} is whole: ${describeHoldings(found)}`;
    context.terminal.notice(message, { database, pets, apiKeys });
  });
}
