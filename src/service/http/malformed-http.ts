import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../contract/service-error.ts';
import { NO_OPERATION, type Observer } from '../monitoring/request-log.ts';
import { type BodyReader, RefusedRequestError } from './request-body.ts';
import type { RequestIds } from './request-ids.ts';
import { errorResponse } from './responses.ts';
import { writeRawResponse } from './write-response.ts';

/** What Node's HTTP parser and timers report, as far as a response of its own belongs to it. */
const problems: Record<string, { code: ErrorCode; message: string }> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'the header fields are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: 'the request did not arrive in time',
  },
};

const otherwise = { code: 'invalid_request', message: 'this is not an HTTP request' } as const;

interface Parts {
  readonly bodies: BodyReader;
  readonly createRequestId: RequestIds;
  readonly observe: Observer;
  /** The latest response on a connection that had to wait. */
  readonly findPending: (socket: Duplex) => ServerResponse | undefined;
}

/** Responds to what never became a whole request, with the Error body like every failure, and closes the connection. */
export function createMalformedResponder(parts: Parts) {
  function refuse(
    socket: Duplex,
    { code, message }: { code: ErrorCode; message: string },
    { headers, method }: Partial<IncomingMessage> = {},
  ): void {
    // A truncated body belongs to a request, which gets its own response.
    if (parts.bodies.refuse(socket, new RefusedRequestError(code, message, true))) return;
    const pending = parts.findPending(socket);
    if (pending?.writableEnded === false) {
      // Its client would take any other response for this one.
      pending.shouldKeepAlive = false;
      return;
    }
    const response = errorResponse(code, message);
    const requestId = parts.createRequestId(headers ?? {});
    writeRawResponse(socket, response, requestId);
    const { status } = response;
    const outcome = { requestId, operation: NO_OPERATION, status, milliseconds: 0 };
    parts.observe(outcome, { method, headers: headers ?? {}, socket });
  }

  return {
    /** For what Node could not parse or did not get in time. */
    onClientError(error: Error & { code?: string }, socket: Duplex): void {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else refuse(socket, problems[error.code ?? ''] ?? otherwise);
    },

    onConnect(request: IncomingMessage, socket: Duplex): void {
      const message = 'this service is not a proxy';
      refuse(socket, { code: 'invalid_request', message }, request);
    },
  };
}
