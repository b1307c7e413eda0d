import type { Context } from '../../program/context/context.ts';
import { type KeysOptions, withKeys } from './with-keys.ts';

interface CreateOptions extends KeysOptions {
  name: string;
  /** Milliseconds. */
  expires?: number;
}

/** Prints the one copy of a new key. It goes to stdout alone, so that it can be piped to where it is kept. */
export async function createKey(context: Context, options: CreateOptions): Promise<void> {
  const { terminal, clock } = context;
  const createdAt = clock();
  const expiresAt =
    options.expires === undefined ? undefined : new Date(createdAt.getTime() + options.expires);
  const { key, record } = await withKeys(context, options, ({ store, issueKey }) =>
    issueKey(store, { name: options.name, createdAt, expiresAt }),
  );
  if (terminal.format === 'json' || terminal.format === 'ndjson') {
    const shown = {
      id: Number(record.id),
      name: record.name,
      createdAt,
      expiresAt: expiresAt ?? null,
    };
    await terminal.stdout.writeSecret(`${JSON.stringify({ ...shown, key })}\n`);
  } else {
    await terminal.stdout.writeSecret(`${key}\n`);
  }
  terminal.notice(`Key ${record.id} was made. It is shown only now: keep it where it is needed.`);
}
