import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { writeRawError } from './malformed-http.ts';
import type { QuickAnswer } from './quick-answer.ts';
import type { TlsIdentity } from './tls-identity.ts';

/** What a client may take of this service before it is cut off. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** For the whole header, so that nobody holds a connection by sending it letter by letter. */
  readonly headersTimeout: number;
  /** For header and body. */
  readonly requestTimeout: number;
  /** Without a byte in either direction, as when an answer is not read. */
  readonly idleTimeout: number;
  /** Between two requests; longer than what proxies commonly keep, so that it is they who close. */
  readonly keepAliveTimeout: number;
  readonly maxHeaderSize: number;
  /** Further connections are closed at once. */
  readonly maxConnections: number;
}

export const defaultLimits: Limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  idleTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16 * 1024,
  maxConnections: 2_000,
};

export interface RequestListeners {
  /** Asked first, while the server does not stop: then the app tells clients to close their connections. */
  readonly quickAnswer: QuickAnswer;
  readonly app: RequestListener;
}

/** The server under the app. It answers with the Error body what Node would answer with an empty one. */
export function createHttpServer(
  { quickAnswer, app }: RequestListeners,
  limits: Limits,
  identity: TlsIdentity | undefined,
): Server {
  const handler: RequestListener = (request, response) => {
    if (server.listening) quickAnswer(request, response, app);
    else app(request, response);
  };
  const options: ServerOptions = {
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    maxHeaderSize: limits.maxHeaderSize,
    connectionsCheckingInterval: Math.min(limits.headersTimeout, 1_000),
    // Node's own answer to a missing Host has no body; the app gives its own.
    requireHostHeader: false,
  };
  const server = identity
    ? createTlsServer({ ...options, ...identity, handshakeTimeout: limits.headersTimeout }, handler)
    : createServer(options, handler);
  server.maxConnections = limits.maxConnections;
  server.setTimeout(limits.idleTimeout);
  // An expectation nobody knows may be ignored (RFC 9110, section 10.1.1); Node would answer it with an empty 417.
  server.on('checkExpectation', handler);
  server.on('connect', (_request, socket: Socket) => {
    socket.end(writeRawError('invalid_request', 'this service is no proxy'));
  });
  return server;
}
