import type { Context } from '../../program/context.ts';
import { findKey } from '../../service/api-keys.ts';
import type { AuditRecord } from '../../service/storage/store.ts';
import { createWriter, type RowLayout } from '../../terminal/formats.ts';
import {
  adviseKeysList,
  type DatabaseOptions,
  findDatabase,
  sharedStore,
  withStore,
} from '../shared/database.ts';
import { createPetColumns } from '../shared/pets.ts';
import { timeColumn } from '../shared/time-column.ts';

export const AUDIT_LIMIT = 50;

interface AuditOptions extends DatabaseOptions {
  readonly pet?: bigint;
  readonly key?: string;
  /** Milliseconds. */
  readonly since?: number;
  readonly limit: number;
}

export async function auditPets(context: Context, options: AuditOptions): Promise<void> {
  const now = new Date();
  const writer = createWriter(context.terminal, describeRows(now), context.options);
  const { pet: petId, key, since, limit } = options;
  const rows = await withStore(
    findDatabase(context, options),
    sharedStore,
    async (store) =>
      await store.readAudit({
        ...{ petId, limit: limit + 1 },
        // All keys of this name, also those that were revoked.
        keyName:
          key === undefined
            ? undefined
            : (await findKey(store, key, now, adviseKeysList(options))).name,
        since: since === undefined ? undefined : new Date(now.getTime() - since),
      }),
  );
  await writer.writeRows([rows.slice(0, limit)]);
  if (rows.length <= limit || limit !== AUDIT_LIMIT) return;
  context.terminal.warn('cli_more_pets', `Showing the latest ${limit}. --limit <n> shows more.`);
}

function describeRows(now: Date): RowLayout<AuditRecord> {
  return {
    columns: [
      ...createPetColumns(),
      { name: 'key', value: ({ keyName }) => keyName, isShortened: true },
      { name: 'keyId', value: ({ keyId }) => keyId, isHidden: true },
      timeColumn({ name: 'addedAt', title: 'ADDED' }, ({ addedAt }) => addedAt, now),
    ],
    whenEmpty: 'No pets found.',
  };
}
