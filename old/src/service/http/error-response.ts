import type { AcceptedKey, Verdict } from '../keys/authenticator.ts';
import type { Log } from '../monitoring/log.ts';
import { StillRunningError } from '../storage/add-queue.ts';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../storage/store.ts';
import { RefusedRequestError } from './request-body.ts';
import { errorResponse, type ServiceResponse } from './response.ts';

/** Turns whatever was thrown into a response. Details of a failure of ours go to the log, never to the client. */
export function toErrorResponse(error: unknown, requestId: string, log: Log): ServiceResponse {
  if (error instanceof RefusedRequestError) return error.response;
  if (error instanceof StillRunningError) return stillRunning;
  if (error instanceof StoreUnavailableError) {
    log.warn?.('unavailable', { requestId, reason: error.message });
    return error instanceof StoreOutcomeUnknownError ? outcomeUnknown : unavailable;
  }
  const details = error instanceof Error ? error.stack : String(error);
  log.error?.('a request failed', { requestId, error: details });
  return failed;
}

const stillRunning = errorResponse(
  'idempotency_conflict',
  'the first request with this Idempotency-Key is still running',
);

/** In seconds: what waits at a limit is done in less time, and a database that is back is used at once. */
export const RETRY_AFTER = ['Retry-After', '1'];

const outcomeUnknown = errorResponse(
  'unavailable',
  'the database was lost while adding and may have stored the pet: try again with the same Idempotency-Key',
  RETRY_AFTER,
);
const unavailable = errorResponse(
  'unavailable',
  'the service is too busy or cannot use its database now: try again',
  RETRY_AFTER,
);

/** Only a crash may show whether an add whose sync failed was stored: a retry with its idempotency key settles it. */
const failed = errorResponse(
  'internal_error',
  'the service failed: try again, an add with the same Idempotency-Key',
);

/** The responses to a request whose key is missing or invalid (contract, section 5). */
export const keyRefusals: Record<Exclude<Verdict, AcceptedKey>, ServiceResponse> = {
  missing: errorResponse(
    'unauthorized',
    'an API key is needed: send it as Authorization: Bearer <API_KEY>',
    ['WWW-Authenticate', 'Bearer realm="petstore"'],
  ),
  invalid: errorResponse('unauthorized', 'this API key is not valid', [
    'WWW-Authenticate',
    'Bearer realm="petstore", error="invalid_token"',
  ]),
};

/** The response to a write with a key that can only read (RFC 6750, section 3.1). */
export const insufficientScope = errorResponse(
  'forbidden',
  'this API key can only read: a key with write access is needed',
  ['WWW-Authenticate', 'Bearer realm="petstore", error="insufficient_scope"'],
);
