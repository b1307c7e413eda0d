import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { NO_OPERATION, type Observer } from '../monitoring/request-log.ts';
import type { LingeringClose } from './admission/lingering-close.ts';
import type { Turns } from './admission/turns.ts';
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
  /** The latest response of a connection that was noted as outstanding; all before it are sent before it. */
  readonly findLatest: (socket: Socket) => ServerResponse | undefined;
  readonly lingering: Pick<LingeringClose, 'close' | 'isClosing'>;
  readonly waitForTurn: Turns['wait'];
}

/** Responds to what never became a whole request, with the Error body like every failure, and closes the connection. */
export function createMalformedResponder({
  createRequestId,
  observe,
  findLatest,
  lingering,
  waitForTurn,
}: Parts) {
  /** Responses after which a refusal already waits: Node reports a malformed connection whenever more arrives on it. */
  const awaited = new WeakSet<ServerResponse>();
  /** Responses whose request is refused in its turn. */
  const waiting = new WeakSet<ServerResponse>();

  function refuse(socket: Socket, response: ServiceResponse, request?: IncomingMessage): void {
    const latest = findLatest(socket);
    if (latest === undefined) write(socket, response, request);
    else if (!latest.writableEnded) refuseInTurn(latest, socket, response);
    else if (!latest.writableFinished) {
      // A client would take this response for the one that it still waits for.
      if (!awaited.has(latest)) latest.once('finish', () => refuse(socket, response, request));
      awaited.add(latest);
    } else if (latest.req.complete) write(socket, response, request);
    // What is malformed is the rest of a request that has its response.
    else lingering.close(socket);
  }

  /** Thousands of clients may end at once in the middle of their requests. */
  function refuseInTurn(latest: ServerResponse, socket: Socket, response: ServiceResponse): void {
    if (waiting.has(latest)) return;
    waiting.add(latest);
    waitForTurn(() => {
      if (latest.writableEnded) refuse(socket, response);
      else refuseThrough(latest, response);
    });
  }

  function write(socket: Socket, response: ServiceResponse, request?: IncomingMessage): void {
    if (!socket.writable) return;
    const { headers = {}, method } = request ?? {};
    const requestId = createRequestId(headers);
    writeRawResponse(socket, response, requestId);
    lingering.close(socket);
    const { status } = response;
    observe({ requestId, operation: NO_OPERATION, status }, { method, headers, socket });
  }

  return {
    /** For what Node could not parse or did not get in time. */
    onClientError({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
      if (!lingering.isClosing(socket)) refuse(socket, problems[code] ?? otherwise);
    },
    onConnect(request: IncomingMessage): void {
      if (!lingering.isClosing(request.socket)) refuse(request.socket, notProxy, request);
    },
  };
}

/** Makes the response that a client waits for close the connection; if its own body is malformed, `response` is that response. */
function refuseThrough(latest: ServerResponse, response: ServiceResponse): void {
  latest.shouldKeepAlive = false;
  const { req } = latest;
  if (!req.complete && req.listenerCount('error') > 0)
    req.emit('error', new RefusedRequestError(response));
}
