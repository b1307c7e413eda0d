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
  if (terminal.format === 'json' || terminal.format === 'ndjson') {
    const { id, name, createdAt, expiresAt = null } = record;
    const shown = { id: Number(id), name, createdAt, expiresAt, key };
    await terminal.stdout.writeSecret(`${JSON.stringify(shown)}\n`);
  } else {
    await terminal.stdout.writeSecret(`${key}\n`);
  }
  terminal.notice(
    `Created key ${record.id} ("${record.name}") in ${database}. It is not shown again.`,
  );
}

async function issueKey(context: Context, options: CreateOptions) {
  const createdAt = context.clock();
  const expiresAt =
    options.expires === undefined ? undefined : new Date(createdAt.getTime() + options.expires);
  return await withKeyStore(context, options, async ({ store, database }) => {
    const { issueKey } = await import('../../service/keys/issue-key.ts');
    const issued = await issueKey(store, { name: options.name, createdAt, expiresAt });
    return { ...issued, database };
  });
}
