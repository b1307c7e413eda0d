import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../contract/service-error.ts';
import type { Log } from '../monitoring/log.ts';
import { QueueFullError, StillRunningError } from '../storage/add-queue.ts';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../storage/store.ts';
import { sendError } from './responses.ts';

/** A full queue is written in less, and a database that comes back is asked at once. */
const RETRY_AFTER_SECONDS = '1';

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What Fastify itself refuses before a handler runs. */
const refusals: Record<string, Refusal> = {
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
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const { code, message } = describeFailure(error);
    if (code === 'unavailable') {
      log.warn?.('unavailable', { requestId: request.id, reason: error.message });
      reply.header('retry-after', RETRY_AFTER_SECONDS);
    } else if (code === 'internal_error') {
      log.error?.('a request failed', { requestId: request.id, error: error.stack });
    }
    sendError(reply, code, message);
  };
}

function describeFailure(error: FastifyError): Refusal {
  const refusal = refusals[error.code ?? ''];
  if (refusal !== undefined) return refusal;
  if (error instanceof StillRunningError) return stillRunning;
  if (error instanceof StoreOutcomeUnknownError) return outcomeUnknown;
  if (error instanceof QueueFullError || error instanceof StoreUnavailableError) return unavailable;
  // Whatever else Fastify finds wrong with a request.
  if (error.statusCode !== undefined && error.statusCode < 500) return unreadable;
  return failed;
}

const stillRunning = {
  code: 'idempotency_conflict',
  message: 'the first request with this Idempotency-Key is still running',
} as const;
const outcomeUnknown = {
  code: 'unavailable',
  message:
    'the database was lost while adding and may have stored the pet: try again with the same Idempotency-Key',
} as const;
const unavailable = {
  code: 'unavailable',
  message: 'the service is too busy or cannot use its database now: try again',
} as const;
const unreadable = { code: 'invalid_request', message: 'the request cannot be read' } as const;
/** Whether an add whose sync failed is there may show only after a crash: its idempotency key settles it. */
const failed = {
  code: 'internal_error',
  message: 'the service failed: try again, an add with the same Idempotency-Key',
} as const;
