import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { writeRefusal } from './hooks/errors.ts';
import type { Metrics } from './hooks/metrics.ts';
import type { ServiceLimits } from './limits.ts';
import { createRequestId } from './request-id.ts';
import { ServiceError } from './service-error.ts';
import type { TlsPair } from './tls.ts';

export interface LimitedServerOptions {
  readonly limits: ServiceLimits;
  readonly tls: TlsPair | undefined;
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics | undefined;
}

/** The reason for refusing what Node's parser or its timers report. */
const parserProblems: Readonly<Record<string, ServiceError>> = {
  HPE_HEADER_OVERFLOW: new ServiceError('headers_too_large', 'the header fields are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: new ServiceError(
    'request_timeout',
    'the request did not arrive in time',
    { Connection: 'close' },
  ),
};
const notHttp = new ServiceError('invalid_request', 'this is not an HTTP request');
const tooMany = new ServiceError(
  'unavailable',
  'too many requests of this connection have no response',
);
const notProxy = new ServiceError('invalid_request', 'this service is not a proxy');

/**
 * A server with Node's own limits and two of ours: a connection with too many requests that have no response is
 * destroyed, and so is one whose body goes on after its response.
 */
export function createLimitedServer(
  handle: RequestListener,
  { limits, tls, log, metrics }: LimitedServerOptions,
): Server {
  const unanswered = new WeakMap<Duplex, Set<ServerResponse>>();

  /** Node tells only the first of the responses of a connection that it is gone; the others would hold what they have. */
  function watch(socket: Socket): Set<ServerResponse> {
    const responses = new Set<ServerResponse>();
    unanswered.set(socket, responses);
    socket.once('close', () => {
      const queued = [...responses].filter((response) => response.socket === null);
      for (const response of queued) response.destroy().emit('close');
    });
    return responses;
  }

  function noteRefusal({ body, message }: ServiceError, requestId: string, socket: Duplex): void {
    const client = socket instanceof Socket ? socket.remoteAddress : undefined;
    log.info({ requestId, status: body.status, reason: message, client }, 'no request');
    metrics?.count({ method: 'none', route: 'none', status: body.status }, 0);
  }

  const listener: RequestListener = (request, response) => {
    const { socket } = request;
    // The parser goes on through what it has, also when the connection is gone.
    if (socket.destroyed) return;
    const responses = (unanswered.get(socket) ?? watch(socket)).add(response);
    if (responses.size > limits.unanswered) {
      noteRefusal(tooMany, createRequestId(), socket);
      socket.destroy();
      return;
    }
    response.once('close', () => {
      responses.delete(response);
      if (request.complete) return;
      setTimeout(() => request.complete || socket.destroy(), limits.unreadBodyMs).unref();
    });
    handle(request, response);
  };

  /** Responds to what never became a whole request, unless a response to an earlier one could be taken for this one. */
  function refuseConnection(problem: ServiceError, socket: Duplex): void {
    const responses = [...(unanswered.get(socket) ?? [])];
    const isClear = responses.every(({ req, headersSent }) => !req.complete && !headersSent);
    // Whoever reads the body of a request that breaks off responds.
    if (
      isClear &&
      responses.some(({ req }) => req.listenerCount('error') > 0 && req.emit('error', problem))
    )
      return;
    const requestId = createRequestId();
    noteRefusal(problem, requestId, socket);
    if (!isClear) socket.destroy();
    if (!socket.writable) return;
    writeRefusal(problem, requestId, socket);
    setTimeout(() => socket.destroy(), limits.unreadBodyMs).unref();
  }

  const server = createNodeServer(listener, limits, tls);
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    if (code === 'ECONNRESET') socket.destroy();
    else refuseConnection(parserProblems[code] ?? notHttp, socket);
  });
  server.on('connect', (_, socket) => {
    socket.on('error', () => socket.destroy());
    refuseConnection(notProxy, socket);
  });
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node would send a 417 without a body.
  server.on('checkExpectation', listener);
  return server;
}

function createNodeServer(listener: RequestListener, limits: ServiceLimits, tls?: TlsPair): Server {
  const options = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    maxHeaderSize: limits.headerBytes,
    connectionsCheckingInterval: Math.min(limits.headersMs, 1_000),
    // Node's own 400 has no body.
    requireHostHeader: false,
    // Otherwise the first of two Host or Authorization fields would count, where a proxy may have read the second.
    joinDuplicateHeaders: true,
  };
  const server = tls
    ? createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersMs }, listener)
    : createServer(options, listener);
  server.maxConnections = limits.connections;
  // Not Node's 1,000 fields, behind which others are dropped in silence: their bytes are limited.
  server.maxHeadersCount = 0;
  // For a response that is not read.
  server.timeout = limits.idleMs;
  return server;
}
