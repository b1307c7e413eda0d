import type { Context } from '../../program/context/context.ts';
import { explainFailure } from '../serve/explain-failure.ts';

type OpenKeyStore = typeof import('../../service/keys/open-key-store.ts')['openKeyStore'];

/** Where the keys are, as every verb of this group takes it. */
export interface KeysOptions {
  database?: string;
}

/** Gives `work` the service's keys and closes their database afterwards. @throws UserError */
export async function withKeyStore<Result>(
  { variables, paths }: Context,
  { database }: KeysOptions,
  work: (keys: Awaited<ReturnType<OpenKeyStore>>) => Promise<Result>,
): Promise<Result> {
  const sources = { flags: { database }, variables, dataFolder: paths.dataFolder };
  return await explainFailure(async () => {
    const { openKeyStore } = await import('../../service/keys/open-key-store.ts');
    const keys = await openKeyStore(sources);
    try {
      return await work(keys);
    } finally {
      await keys.store.close();
    }
  });
}
