import type { ListedKey } from '../../contract/outputs/api-keys.ts';
import type { Context } from '../../program/context/context.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';
import { type StoreOptions, withStore } from '../db/with-store.ts';
import { findKeyState } from './key-state.ts';

/** Lists every key ever created: what it is for, what it may do, whether it is still valid, when it was last used. */
export async function listKeys(context: Context, options: StoreOptions): Promise<void> {
  const { records, database } = await withStore(context, options, async ({ store, database }) => ({
    records: await store.listKeys(),
    database,
  }));
  const now = context.clock();
  const rows = records.map(
    (record): ListedKey => ({
      id: Number(record.id),
      name: record.name,
      access: record.access,
      state: findKeyState(record, now),
      createdAt: record.createdAt.toISOString(),
      lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
      expiresAt: record.expiresAt?.toISOString() ?? null,
      revokedAt: record.revokedAt?.toISOString() ?? null,
    }),
  );
  await writeRecords(context.terminal, rows, {
    id: ({ id }) => id,
    columns: [
      { name: 'id', heading: 'ID' },
      { name: 'name', heading: 'NAME' },
      { name: 'access', heading: 'ACCESS' },
      { name: 'state', heading: 'STATE' },
      { name: 'createdAt', heading: 'CREATED' },
      { name: 'lastUsedAt', heading: 'LAST USED' },
      { name: 'expiresAt', heading: 'ENDS' },
      { name: 'revokedAt', heading: 'REVOKED' },
    ],
  });
  const count = rows.length === 1 ? '1 key' : `${rows.length} keys`;
  context.terminal.notice(`${count} in ${database}`, { database });
}
