import { Option } from 'commander';
import { describeMissingFolder, findFolder } from '../../config/paths.ts';
import { type CommandLine, UserError } from '../../errors.ts';
import type { Context } from '../../program/context.ts';
import { refuseUnknownVariable } from '../../service/settings.ts';
import { type Database, resolveDatabase } from '../../service/storage/database-url.ts';
import { openStore } from '../../service/storage/open-store.ts';
import { type OpenStoreOptions, type Store, StoreError } from '../../service/storage/store.ts';

/** Which store a command of the service works on. */
export interface DatabaseOptions {
  readonly database?: string | undefined;
}

export function databaseOption(): Option {
  return new Option('--database <url>', 'sqlite:<path> or postgres://… (PETSTORE_SERVE_DATABASE)');
}

/** The database that `petstore serve` would use. @throws UserError */
export function findDatabase({ variables }: Pick<Context, 'variables'>, options: DatabaseOptions) {
  refuseUnknownVariable(variables);
  const given = options.database ?? (variables.PETSTORE_SERVE_DATABASE || undefined);
  return resolveDatabase(given, () => {
    const folder = findFolder(variables, 'data');
    if (folder !== undefined) return folder;
    throw new UserError('cli_database', 'There is no folder for the database.', {
      details: [`${describeMissingFolder('data')}, or name a file with --database`],
    });
  });
}

/** The line that lists the keys of the same store. A URL that was typed may hold a password, and is not repeated. */
export function adviseKeysList({ database }: DatabaseOptions): CommandLine[] {
  if (database === undefined) return [['petstore', 'keys', 'list']];
  const isUrl = /^postgres/i.test(database);
  return isUrl ? [] : [['petstore', 'keys', 'list', '--database', database]];
}

/** What most commands need: a store that is there, which a service may be using. */
export const sharedStore = { isExclusive: false, mustExist: true } as const;

/** Gives `work` the store in a database, and closes it. @throws UserError */
export async function withStore<Result>(
  database: Database,
  options: OpenStoreOptions,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(database, options);
  try {
    return await work(store);
  } catch (error) {
    throw explainStoreError(error, database);
  } finally {
    await store.close();
  }
}

function explainStoreError(error: unknown, { shown }: Database): unknown {
  if (!(error instanceof StoreError)) return error;
  const message = error.message.replace('the database', `The database ${shown}`);
  return new UserError('cli_database', `${message}.`, {
    outcome: error.isOutcomeUnknown ? 'unknown' : 'not_applied',
    cause: error,
  });
}
