import type { CreatedKey } from '../../contract/outputs/api-keys.ts';
import type { Context } from '../../program/context/context.ts';
import { formatOption } from '../../terminal/text/shell-line.ts';
import { type KeysOptions, withKeyStore } from './with-key-store.ts';

interface CreateOptions extends KeysOptions {
  name: string;
  /** Milliseconds. */
  expires?: number;
  /** May create the database. */
  new?: boolean;
}

/** Prints the only copy of a new key. It goes to stdout alone, so that it can be piped to where it is needed. */
export async function createKey(context: Context, options: CreateOptions): Promise<void> {
  const { terminal } = context;
  const { key, record, database } = await issueKey(context, options);
  const { id, name } = record;
  const created: CreatedKey = {
    id: Number(id),
    name,
    createdAt: record.createdAt.toISOString(),
    expiresAt: record.expiresAt?.toISOString() ?? null,
    key,
  };
  const isJson = terminal.format === 'json' || terminal.format === 'ndjson';
  const shown = isJson ? JSON.stringify(created) : key;
  await terminal.stdout.writeSecret(`${shown}\n`);
  terminal.notice(`Created key ${id} ("${name}") in ${database}. It is not shown again.`, {
    database,
  });
}

async function issueKey(context: Context, options: CreateOptions) {
  const { name, expires } = options;
  const createdAt = context.clock();
  const expiresAt = expires === undefined ? undefined : new Date(createdAt.getTime() + expires);
  const creation = { isAllowed: options.new === true, words: rerunWords(options) };
  return await withKeyStore(context, { ...options, creation }, async (keys) => {
    const { issueKey } = await import('../../service/keys/issue-key.ts');
    const issued = await issueKey(keys.store, { name, createdAt, expiresAt });
    return { ...issued, database: keys.database };
  });
}

/** The words that would do the same in another database. */
function rerunWords({ name, expires }: CreateOptions): string[] {
  return [
    ...['petstore', 'keys', 'create', ...formatOption('--name', name)],
    ...(expires === undefined ? [] : ['--expires', formatDuration(expires)]),
  ];
}

function formatDuration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`;
}
