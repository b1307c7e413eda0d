import { confirmLoss } from '../../program/confirm.ts';
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
    await confirmLoss(
      context,
      `Revoke key ${key}, ${lastUsedAt === undefined ? use : `last used ${use}`}? It cannot be undone.`,
      `Stopped; key ${key} still works.`,
    );
    await store.revokeKey(id, now);
    terminal.notice(`Key ${key} is revoked.`);
  });
}
