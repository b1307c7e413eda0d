import type { Context } from '../../program/context.ts';
import { findKeyState, type KeyState } from '../../service/keys/key-state.ts';
import type { ApiKeyRecord } from '../../service/storage/store.ts';
import { type Color, createWriter, type Sheet } from '../../terminal/formats.ts';
import { type DatabaseOptions, findDatabase, sharedStore, withStore } from '../shared/database.ts';
import { timeColumn } from '../shared/time-column.ts';

const stateColors: Readonly<Record<KeyState, Color>> = {
  active: 'green',
  expired: 'yellow',
  revoked: 'dim',
};

export async function listKeys(context: Context, options: DatabaseOptions): Promise<void> {
  const writer = createWriter(context.terminal, describeSheet(new Date()), context.options);
  const database = findDatabase(context, options);
  const keys = await withStore(database, sharedStore, async (store) => await store.listKeys());
  await writer.writeRows([keys]);
}

function describeSheet(now: Date): Sheet<ApiKeyRecord> {
  return {
    columns: [
      { name: 'id', value: ({ id }) => id, align: 'right' },
      { name: 'name', value: ({ name }) => name, isShortened: true },
      { name: 'access', value: ({ access }) => access },
      {
        name: 'state',
        value: (key) => findKeyState(key, now),
        color: (key) => stateColors[findKeyState(key, now)],
      },
      timeColumn({ name: 'createdAt', title: 'CREATED' }, (key) => key.createdAt, now),
      timeColumn({ name: 'lastUsedAt', title: 'LAST USED' }, (key) => key.lastUsedAt, now),
      timeColumn({ name: 'expiresAt', title: 'EXPIRES' }, (key) => key.expiresAt, now),
      timeColumn({ name: 'revokedAt', isHidden: true }, (key) => key.revokedAt, now),
    ],
    whenEmpty: 'No keys yet: petstore keys create --name <label>',
  };
}
