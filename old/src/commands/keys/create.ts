import type { KeyAccess } from '../../contract/key-info.ts';
import type { Context } from '../../program/context/context.ts';
import { formatOption } from '../../terminal/text/shell-line.ts';
import { type StoreOptions, withStore } from '../db/with-store.ts';
import { describeNewKey, printNewKey } from './print-new-key.ts';

interface CreateOptions extends StoreOptions {
  name: string;
  access: KeyAccess;
  /** Milliseconds. */
  expires?: number;
  /** May create the database. */
  new?: boolean;
}

export async function createKey(context: Context, options: CreateOptions): Promise<void> {
  const { database, ...issued } = await issueKey(context, options);
  await printNewKey(context, describeNewKey(issued));
  const { id, name } = issued.record;
  context.terminal.notice(`Created key ${id} ("${name}") in ${database}. It is not shown again.`, {
    database,
  });
}

async function issueKey(context: Context, options: CreateOptions) {
  const { name, access, expires } = options;
  const createdAt = context.clock();
  const expiresAt = expires === undefined ? undefined : new Date(createdAt.getTime() + expires);
  const creation = { isAllowed: options.new === true, words: rerunWords(options) };
  return await withStore(context, { ...options, creation }, async ({ store, database }) => {
    const { issueKey } = await import('../../service/keys/issue-key.ts');
    const issued = await issueKey(store, { name, access, createdAt, expiresAt });
    return { ...issued, database };
  });
}

/** The words that would do the same in another database. */
function rerunWords({ name, access, expires }: CreateOptions): string[] {
  return [
    ...['petstore', 'keys', 'create', ...formatOption('--name', name)],
    ...(access === 'write' ? [] : ['--access', access]),
    ...(expires === undefined ? [] : ['--expires', formatDuration(expires)]),
  ];
}

function formatDuration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`;
}
