import { RequestError } from '../../client/request-error.ts';
import type { Target } from '../../config/environments/environments.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';

/** Asks a service whether it accepts a key, by one small request. @throws UserError `cli_key_rejected`; RequestError when it gave no answer. */
export async function checkKey(
  context: Context,
  target: Target,
  key: { value: string; lastFour: string },
): Promise<void> {
  const client = await context.connect(target, key.value);
  try {
    await client.listPets({ limit: 1 });
  } catch (error) {
    throw isRejection(error) ? explainRejection(error, target, key.lastFour) : error;
  } finally {
    await client.close();
  }
}

function isRejection(error: unknown): error is RequestError {
  return (
    error instanceof RequestError &&
    error.failure.kind === 'response' &&
    error.failure.status === 401
  );
}

function explainRejection(cause: RequestError, { name }: Target, lastFour: string): UserError {
  return new UserError(
    'cli_key_rejected',
    `${name} rejected the API key ending ${lastFour} (401 unauthorized)`,
    {
      details: [`${cause.request.method} ${cause.request.url}`],
      next: [`petstore auth login --env ${name}`],
      cause,
    },
  );
}
