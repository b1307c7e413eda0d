import { parseInt64 } from '../../contract/int64.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { type KeysOptions, withKeys } from './with-keys.ts';

interface RevokeOptions extends KeysOptions {
  id: string;
}

/** Makes a key invalid for good. Revoking it again changes nothing. */
export async function revokeKey(context: Context, options: RevokeOptions): Promise<void> {
  const id = parseInt64(options.id);
  const revoked = await withKeys(context, options, async ({ store }) =>
    id === undefined ? undefined : await store.revokeKey(id, context.clock()),
  );
  if (revoked === undefined) {
    throw new UserError('cli_not_found', `There is no key ${options.id}`, {
      next: ['petstore keys list'],
    });
  }
  context.terminal.notice(`Key ${revoked.id} is revoked.`);
}
