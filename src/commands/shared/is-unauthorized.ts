import { RequestError } from '../../client/request-error.ts';

/** Whether the service did not accept the key; a proxy's page with the same status is not the service. */
export function isUnauthorized(error: unknown): error is RequestError {
  return error instanceof RequestError && 'error' in error.failure && error.failure.status === 401;
}
