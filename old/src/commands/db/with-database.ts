import type { Context } from '../../program/context/context.ts';
import { explainFailure } from '../serve/explain-failure.ts';

/** Which store a verb of this group works on. */
export interface DatabaseOptions {
  database?: string;
}

/** Gives `work` the URL of the database that `petstore serve` would use with the same settings, and as it may be shown. @throws UserError */
export async function withDatabase<Result>(
  { variables, paths: { dataFolder } }: Context,
  { database }: DatabaseOptions,
  work: (url: string, shown: string) => Promise<Result>,
): Promise<Result> {
  return await explainFailure(async () => {
    const { resolveDatabase } = await import('../../service/settings.ts');
    const { maskDatabaseUrl } = await import('../../service/storage/database-engine.ts');
    const url = resolveDatabase({ flags: { database }, variables, dataFolder });
    return await work(url, maskDatabaseUrl(url));
  });
}

/** What a store holds, in words. */
export function describeHoldings({ pets, apiKeys }: { pets: number; apiKeys: number }): string {
  return `${count(pets, 'pet')}, ${count(apiKeys, 'API key')}`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
