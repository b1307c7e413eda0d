import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { NO_OPERATION, type Observer } from '../monitoring/request-log.ts';
import { RefusedRequestError } from './request-body.ts';
import type { RequestIds } from './request-ids.ts';
import { closingErrorResponse, type ServiceResponse } from './response.ts';
import { writeRawResponse } from './write-response.ts';

/** What Node's HTTP parser and timers report, as far as a response of its own belongs to it. */
const problems: Record<string, ServiceResponse> = {
  HPE_HEADER_OVERFLOW: closingErrorResponse('headers_too_large', 'the header fields are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: closingErrorResponse(
    'request_timeout',
    'the request did not arrive in time',
  ),
};
const otherwise = closingErrorResponse('invalid_request', 'this is not an HTTP request');
const notProxy = closingErrorResponse('invalid_request', 'this service is not a proxy');

interface Parts {
  readonly createRequestId: RequestIds;
  readonly observe: Observer;
  /** The latest response on a connection that had to wait. */
  readonly findPending: (socket: Duplex) => ServerResponse | undefined;
}

/** Responds to what never became a whole request, with the Error body like every failure, and closes the connection. */
export function createMalformedResponder({ createRequestId, observe, findPending }: Parts) {
  function refuse(
    socket: Duplex,
    response: ServiceResponse,
    { headers = {}, method }: Partial<IncomingMessage> = {},
  ): void {
    const pending = findPending(socket);
    if (pending?.writableEnded === false) {
      // Its client would take any other response for this one.
      pending.shouldKeepAlive = false;
      const { req } = pending;
      // A truncated body belongs to this request, which gets its own response.
      if (!req.complete && req.listenerCount('error') > 0)
        req.emit('error', new RefusedRequestError(response));
      return;
    }
    const requestId = createRequestId(headers);
    writeRawResponse(socket, response, requestId);
    const { status } = response;
    const outcome = { requestId, operation: NO_OPERATION, status, milliseconds: 0 };
    observe(outcome, { method, headers, socket });
  }

  return {
    /** For what Node could not parse or did not get in time. */
    onClientError(error: Error & { code?: string }, socket: Duplex): void {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else refuse(socket, problems[error.code ?? ''] ?? otherwise);
    },
    onConnect: (request: IncomingMessage, socket: Duplex) => refuse(socket, notProxy, request),
  };
}
