import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context.ts';
import { findKey } from '../../service/keys/find-key.ts';
import { formatRelativeTime } from '../../terminal/relative-time.ts';
import { type DatabaseOptions, findDatabase, sharedStore, withStore } from '../shared/database.ts';

export async function revokeKey(
  context: Context,
  nameOrNumber: string,
  options: DatabaseOptions,
): Promise<void> {
  const { terminal } = context;
  const now = new Date();
  await withStore(findDatabase(context, options), sharedStore, async (store) => {
    const { id, name, lastUsedAt, revokedAt } = await findKey(store, nameOrNumber, now);
    const key = `${id} (${name})`;
    if (revokedAt !== undefined) {
      terminal.notice(`Key ${key} was revoked ${formatRelativeTime(revokedAt, now)}.`);
      return;
    }
    const use = lastUsedAt === undefined ? 'never used' : formatRelativeTime(lastUsedAt, now);
    await confirm(context, key, lastUsedAt === undefined ? use : `last used ${use}`);
    await store.revokeKey(id, now);
    terminal.notice(`Key ${key} is revoked.`);
  });
}

/** It cannot be undone, so a terminal asks. */
async function confirm({ terminal, prompts }: Context, key: string, use: string): Promise<void> {
  if (!terminal.isInteractive) return;
  if (await prompts.askConfirm(`Revoke key ${key}, ${use}? It cannot be undone`, false)) return;
  throw new UserError('cli_declined', `Stopped; key ${key} still works.`);
}
