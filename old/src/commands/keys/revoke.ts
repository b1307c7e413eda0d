import { parseInt64 } from '../../contract/int64.ts';
import type { Context } from '../../program/context/context.ts';
import { type StoreOptions, withStore } from '../db/with-store.ts';
import { refuseMissingKey } from './refuse-missing-key.ts';

interface RevokeOptions extends StoreOptions {
  id: string;
}

/** Makes a key invalid for good. Revoking it again changes nothing. */
export async function revokeKey(context: Context, options: RevokeOptions): Promise<void> {
  const id = parseInt64(options.id);
  await withStore(context, options, async ({ store, database }) => {
    const revoked = id === undefined ? undefined : await store.revokeKey(id, context.clock());
    if (revoked === undefined) throw refuseMissingKey(options, database);
    context.terminal.notice(`Key ${revoked.id} ("${revoked.name}") in ${database} is revoked.`, {
      database,
    });
  });
}
