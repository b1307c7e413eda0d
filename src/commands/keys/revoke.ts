import { parseInt64 } from '../../contract/int64.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import { type KeysOptions, withKeyStore } from './with-key-store.ts';

interface RevokeOptions extends KeysOptions {
  id: string;
}

/** Makes a key invalid for good. Revoking it again changes nothing. */
export async function revokeKey(context: Context, options: RevokeOptions): Promise<void> {
  const id = parseInt64(options.id);
  await withKeyStore(context, options, async ({ store, database }) => {
    const revoked = id === undefined ? undefined : await store.revokeKey(id, context.clock());
    if (revoked === undefined) {
      const flag = options.database === undefined ? [] : ['--database', database];
      throw new UserError('cli_not_found', `There is no key ${options.id} in ${database}`, {
        next: [formatShellLine(['petstore', 'keys', 'list', ...flag])],
      });
    }
    context.terminal.notice(`Key ${revoked.id} ("${revoked.name}") in ${database} is revoked.`, {
      database,
    });
  });
}
