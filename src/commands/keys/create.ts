import type { CreatedKey } from '../../contract/outputs/api-keys.ts';
import type { Context } from '../../program/context/context.ts';
import { type KeysOptions, withKeyStore } from './with-key-store.ts';

interface CreateOptions extends KeysOptions {
  name: string;
  /** Milliseconds. */
  expires?: number;
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
  terminal.notice(`Created key ${id} ("${name}") in ${database}. It is not shown again.`);
}

async function issueKey(context: Context, options: CreateOptions) {
  const { name, expires } = options;
  const createdAt = context.clock();
  const expiresAt = expires === undefined ? undefined : new Date(createdAt.getTime() + expires);
  return await withKeyStore(context, options, async ({ store, database }) => {
    const { issueKey } = await import('../../service/keys/issue-key.ts');
    return { ...(await issueKey(store, { name, createdAt, expiresAt })), database };
  });
}
