import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { formatOption, formatShellLine } from '../../terminal/text/shell-line.ts';
import { explainFailure } from '../serve/explain-failure.ts';

type Store = import('../../service/storage/store.ts').Store;

/** Which store a verb works on. */
export interface StoreOptions {
  database?: string;
}

interface OpenOptions extends StoreOptions {
  /** Whether a database may be created, and the words to repeat if it may not; absent for a verb to which a new one is useless. */
  creation?: { isAllowed: boolean; words: readonly string[] };
}

/**
 * Gives `work` the store that `petstore serve` would use with the same settings, whether it is running or not, and the
 * URL of its database as it may be shown. Closes the database afterwards.
 * @throws UserError
 */
export async function withStore<Result>(
  { variables, paths, terminal }: Context,
  options: OpenOptions,
  work: (opened: { store: Store; database: string }) => Promise<Result>,
): Promise<Result> {
  return await explainFailure(async () => {
    const { resolveDatabase } = await import('../../service/settings.ts');
    const { hasStore, openStore } = await import('../../service/storage/databases.ts');
    const { maskDatabaseUrl } = await import('../../service/storage/database-engine.ts');
    const { dataFolder } = paths;
    const flags = { database: options.database };
    const url = resolveDatabase({ flags, variables, dataFolder });
    const database = maskDatabaseUrl(url);
    const isThere = await hasStore(url);
    if (!isThere && !options.creation?.isAllowed) throw refuseMissing(database, options);
    const store = await openStore(url, { isShared: true });
    try {
      if (!isThere) terminal.notice(`Created the database ${database}`, { database });
      return await work({ store, database });
    } finally {
      await store.close();
    }
  });
}

/** A key in a database that no service uses would be refused by the service that was meant. */
function refuseMissing(shown: string, { database, creation }: OpenOptions): UserError {
  const flag = database === undefined ? [] : formatOption('--database', shown);
  return new UserError('cli_database', `There is no database ${shown}`, {
    details: ['name the one that the service uses with --database or PETSTORE_SERVE_DATABASE'],
    next: creation === undefined ? [] : [formatShellLine([...creation.words, '--new', ...flag])],
  });
}
