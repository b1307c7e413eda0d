import { RequestError } from '../../client/request-error.ts';
import type { AttemptResult } from '../../client/requests/attempt.ts';
import type { Target } from '../../config/environments/environments.ts';
import type { KeyInfo } from '../../contract/key-info.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { createKeyWatch } from '../../program/context/watch-key.ts';

/** Checks by one small request whether a service accepts a key, and returns what it says of it. @throws UserError `cli_key_rejected`; RequestError when it did not respond. */
export async function verifyKey(
  context: Context,
  target: Target,
  key: { value: string; lastFour: string },
): Promise<KeyInfo | undefined> {
  const watch = createKeyWatch();
  const onResult = (_: unknown, result: AttemptResult) => watch.note(result);
  const client = await context.connect(target, key.value, { onResult });
  try {
    await client.listPets({ limit: 1 });
    return watch.info();
  } catch (error) {
    throw isUnauthorized(error) ? explainRejection(error, target, key.lastFour) : error;
  } finally {
    await client.close();
  }
}

function explainRejection(cause: RequestError, { name }: Target, lastFour: string): UserError {
  const { method, url } = cause.request;
  return new UserError('cli_key_rejected', `The API key for ${name} was not accepted.`, {
    details: [`401 unauthorized: ${method} ${url}`, `key ending ${lastFour}`],
    next: [`petstore auth login --env ${name}`],
    cause,
  });
}

/** Whether the service did not accept the key; a proxy's page with the same status is not the service. */
export function isUnauthorized(error: unknown): error is RequestError {
  return error instanceof RequestError && 'error' in error.failure && error.failure.status === 401;
}
