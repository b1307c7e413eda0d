import type { Verdict } from '../keys/authenticator.ts';
import type { Log } from '../monitoring/log.ts';
import { QueueFullError, StillRunningError } from '../storage/add-queue.ts';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../storage/store.ts';
import type { ServiceResponse } from './message.ts';
import { RefusedRequestError } from './request-body.ts';
import { errorResponse } from './responses.ts';

/** A full queue is written in less, and a database that comes back is asked at once. */
const RETRY_AFTER = ['Retry-After', '1'];

/** Turns whatever was thrown into a response. Details of a failure of ours go to the log, never to the client. */
export function createErrorResponder(log: Log) {
  return (error: unknown, requestId: string): ServiceResponse => {
    if (error instanceof RefusedRequestError) {
      const fields = error.closesConnection ? ['Connection', 'close'] : [];
      return errorResponse(error.code, error.message, fields);
    }
    if (error instanceof StillRunningError) {
      return errorResponse(
        'idempotency_conflict',
        'the first request with this Idempotency-Key is still running',
      );
    }
    if (error instanceof StoreUnavailableError || error instanceof QueueFullError) {
      log.warn?.('unavailable', { requestId, reason: error.message });
      return errorResponse('unavailable', describeUnavailable(error), RETRY_AFTER);
    }
    log.error?.('a request failed', { requestId, error: describeFailure(error) });
    // Whether an add whose sync failed is there may show only after a crash: its idempotency key decides it.
    return errorResponse(
      'internal_error',
      'the service failed: try again, an add with the same Idempotency-Key',
    );
  };
}

function describeUnavailable(error: Error): string {
  return error instanceof StoreOutcomeUnknownError
    ? 'the database was lost while adding and may have stored the pet: try again with the same Idempotency-Key'
    : 'the service is too busy or cannot use its database now: try again';
}

function describeFailure(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const keyRefusals = {
  missing: {
    challenge: 'Bearer realm="petstore"',
    message: 'an API key is needed: send it as Authorization: Bearer <API_KEY>',
  },
  invalid: {
    challenge: 'Bearer realm="petstore", error="invalid_token"',
    message: 'this API key is not valid',
  },
} as const;

/** The response to a request whose key is missing or invalid (contract, section 5). */
export function refuseKey(verdict: Exclude<Verdict, 'accepted'>): ServiceResponse {
  const { challenge, message } = keyRefusals[verdict];
  return errorResponse('unauthorized', message, ['WWW-Authenticate', challenge]);
}
