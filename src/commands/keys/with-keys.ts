import type { Context } from '../../program/context/context.ts';
import { explainFailure } from '../serve/explain-failure.ts';

/** Where the keys are, as every verb of this group takes it. */
export interface KeysOptions {
  database?: string;
}

/** Gives `work` what it needs of the service's keys and closes it afterwards. */
export async function withKeys<Result>(
  { variables, paths }: Context,
  { database }: KeysOptions,
  work: (keys: Awaited<ReturnType<typeof openKeys>>) => Promise<Result>,
): Promise<Result> {
  return await explainFailure(async () => {
    const keys = await openKeys({ flags: { database }, variables, dataFolder: paths.dataFolder });
    try {
      return await work(keys);
    } finally {
      await keys.store.close();
    }
  });
}

async function openKeys(sources: {
  flags: { database: string | undefined };
  variables: Context['variables'];
  dataFolder: string;
}) {
  const { openKeyStore } = await import('../../service/keys/open-key-store.ts');
  const { issueKey } = await import('../../service/keys/issue-key.ts');
  return { store: await openKeyStore(sources), issueKey };
}
