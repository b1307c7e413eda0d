import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../contract/service-error.ts';
import { QueueFullError, StillRunningError } from './add-queue.ts';
import type { Log } from './log.ts';
import { sendError } from './send.ts';
import { StoreOutcomeUnknownError, StoreUnavailableError } from './store.ts';

/** A full queue is written in less, and a database that comes back is asked at once. */
const RETRY_AFTER_SECONDS = '1';

/** What Fastify itself refuses before a handler runs. */
const refusals: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'payload_too_large',
    message: 'the body is larger than 64 KiB',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'the body must be application/json',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_request',
    message: 'the body is not as long as Content-Length says',
  },
};

/** Turns whatever a handler threw into an answer. Details of a failure of ours go to the log, never to the client. */
export function createFailureHandler(log: Log) {
  return (error: Error & { code?: string }, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = refusals[error.code ?? ''];
    if (refusal !== undefined) {
      sendError(reply, refusal.code, refusal.message);
    } else if (error instanceof StillRunningError) {
      sendError(
        reply,
        'idempotency_conflict',
        'the first request with this Idempotency-Key is still running',
      );
    } else if (error instanceof QueueFullError || error instanceof StoreUnavailableError) {
      log.warn?.('unavailable', { requestId: request.id, reason: error.message });
      reply.header('retry-after', RETRY_AFTER_SECONDS);
      sendError(reply, 'unavailable', describeUnavailable(error));
    } else {
      log.error?.('a request failed', { requestId: request.id, error: error.stack });
      sendError(reply, 'internal_error', 'the service failed; nothing was added');
    }
  };
}

function describeUnavailable(error: Error): string {
  return error instanceof StoreOutcomeUnknownError
    ? 'the database was lost while adding and may have stored the pet: try again with the same Idempotency-Key'
    : 'the service is too busy or cannot use its database now: try again';
}
