import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { writeRefusal } from './hooks/errors.ts';
import type { Metrics } from './hooks/metrics.ts';
import { formatPath } from './hooks/observe.ts';
import type { ServiceLimits } from './limits.ts';
import { createRequestId, requestIdOf } from './request-id.ts';
import { ServiceError } from './service-error.ts';
import type { TlsPair } from './tls.ts';

/** Node forgets the address of a connection that is gone, unless it was asked before. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: string | undefined;
}

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
/** The status in the metrics, as of nginx, of a request that was not begun. */
const CLIENT_GONE = 499;
const notTls = new ServiceError('invalid_request', 'the TLS handshake failed');
const notHttp = new ServiceError('invalid_request', 'this is not an HTTP request');
const tooMany = new ServiceError(
  'unavailable',
  'too many requests of this connection have no response',
);
const notProxy = new ServiceError('invalid_request', 'this service is not a proxy');

/**
 * A server with Node's own limits and ours: the requests of a connection are handled one after another, one with too many
 * that wait is destroyed, and so is one whose body goes on after its response.
 */
export function createLimitedServer(
  handle: RequestListener,
  { limits, tls, log, metrics }: LimitedServerOptions,
): Server {
  /** Of each connection: what is handled now, and what waits for it. */
  const exchanges = new WeakMap<Duplex, Exchange[]>();

  function noteRefusal({ body, message }: ServiceError, requestId: string, socket: Duplex): void {
    const client = socket instanceof Socket ? socket.remoteAddress : undefined;
    log.info({ requestId, status: body.status, reason: message, client }, 'no request');
    metrics?.count({ method: 'none', route: 'none', status: body.status }, 0);
  }

  function noteGivenUp({ request, client }: Exchange): void {
    const { method = 'none', url = '' } = request;
    const line = { method, path: formatPath(url), client, aborted: true };
    log.info({ requestId: requestIdOf(request), ...line }, 'request');
    metrics?.count({ method, route: 'none', status: CLIENT_GONE }, 0);
  }

  /** Whoever does not read a response has no other one made, and whoever leaves takes along what waits. */
  function handleFirst(waiting: Exchange[]): void {
    const [first] = waiting;
    if (first === undefined) return;
    const { request, response } = first;
    if (!request.socket.writable) {
      waiting.splice(0).forEach(noteGivenUp);
      return;
    }
    response.once('close', () => {
      waiting.shift();
      if (!request.complete)
        setTimeout(() => request.complete || request.socket.destroy(), limits.unreadBodyMs).unref();
      handleFirst(waiting);
    });
    handle(request, response);
  }

  const listener: RequestListener = (request, response) => {
    const { socket } = request;
    // The parser goes on through what it has, also when the connection is gone.
    if (socket.destroyed) return;
    const waiting = exchanges.get(socket) ?? [];
    exchanges.set(socket, waiting);
    waiting.push({ request, response, client: socket.remoteAddress });
    if (waiting.length === 1) handleFirst(waiting);
    if (waiting.length <= limits.unanswered) return;
    noteRefusal(tooMany, createRequestId(), socket);
    socket.destroy();
  };

  /** Responds to what never became a whole request, unless a response to an earlier one could be taken for this one. */
  function refuseConnection(problem: ServiceError, socket: Duplex): void {
    const [first] = exchanges.get(socket) ?? [];
    const isClear = !first?.request.complete && !first?.response.headersSent;
    // Whoever reads the body of a request that breaks off responds.
    const isRead = first !== undefined && first.request.listenerCount('error') > 0;
    if (isClear && isRead && first.request.emit('error', problem)) return;
    const isBegun = first?.request.complete === false;
    const requestId = isBegun ? requestIdOf(first.request) : createRequestId();
    // A request that has begun has a line of its own.
    if (!isBegun) noteRefusal(problem, requestId, socket);
    if (!isClear) socket.destroy();
    if (!socket.writable) return;
    writeRefusal(problem, requestId, socket);
    setTimeout(() => socket.destroy(), limits.unreadBodyMs).unref();
  }

  const server = createNodeServer(listener, limits, tls);
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    const problem = findProblem(code);
    if (problem === undefined) socket.destroy();
    else refuseConnection(problem, socket);
  });
  server.on('connect', (_, socket) => {
    socket.on('error', () => socket.destroy());
    refuseConnection(notProxy, socket);
  });
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node would send a 417 without a body.
  server.on('checkExpectation', listener);
  return server;
}

/** Why what arrived is no request; undefined where the connection broke off. */
function findProblem(code: string): ServiceError | undefined {
  if (/^ERR_(SSL|TLS)_/.test(code)) return notTls;
  return parserProblems[code] ?? (code.startsWith('HPE_') ? notHttp : undefined);
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
  // Not Node's 1,000, behind which others are dropped in silence: as many as cannot have so few bytes.
  server.maxHeadersCount = limits.headerBytes / 4;
  // For a response that is not read.
  server.timeout = limits.idleMs;
  return server;
}
