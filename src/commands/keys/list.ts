import type { ListedKey } from '../../contract/outputs/api-keys.ts';
import type { Context } from '../../program/context/context.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';
import { type KeysOptions, withKeyStore } from './with-key-store.ts';

/** Lists every key ever created: what it is for, whether it is still valid, when it was last used. */
export async function listKeys(context: Context, options: KeysOptions): Promise<void> {
  const { records, database } = await withKeyStore(
    context,
    options,
    async ({ store, database }) => ({ records: await store.listKeys(), database }),
  );
  const now = context.clock();
  const rows = records.map(
    ({ id, name, createdAt, lastUsedAt, expiresAt, revokedAt }): ListedKey => ({
      id: Number(id),
      name,
      state: describeState(now, revokedAt, expiresAt),
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      expiresAt: expiresAt?.toISOString() ?? null,
      revokedAt: revokedAt?.toISOString() ?? null,
    }),
  );
  await writeRecords(context.terminal, rows, {
    id: ({ id }) => id,
    columns: [
      { name: 'id', heading: 'ID' },
      { name: 'name', heading: 'NAME' },
      { name: 'state', heading: 'STATE' },
      { name: 'createdAt', heading: 'CREATED' },
      { name: 'lastUsedAt', heading: 'LAST USED' },
      { name: 'expiresAt', heading: 'EXPIRES' },
      { name: 'revokedAt', heading: 'REVOKED' },
    ],
  });
  const count = rows.length === 1 ? '1 key' : `${rows.length} keys`;
  context.terminal.notice(`${count} in ${database}`, { database });
}

function describeState(now: Date, revokedAt: Date | undefined, expiresAt: Date | undefined) {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
}
