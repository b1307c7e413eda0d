import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';

/**
 * Refuses a write with a key that can only read, as far as it is known: from what was remembered at login, or from a
 * response of this run. The service refuses it as well.
 * @throws UserError `cli_key_read_only`
 */
export function requireWriteKey({ environments, keys, requestTarget }: Context): void {
  const target = environments.target();
  const info = requestTarget().keyInfo?.() ?? keys.recallInfo(target);
  if (info?.access !== 'read') return;
  const { name } = target;
  const [variable] = keys.listVariables(name);
  throw new UserError('cli_key_read_only', `The API key for ${name} can only read.`, {
    details: [
      'nothing was sent; a write needs a key with write access',
      ...(variable ? [`the key is from ${variable.name}`] : []),
    ],
    next: [`petstore auth ${variable ? 'status --check' : 'login'} --env ${name}`],
  });
}
