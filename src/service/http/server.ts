import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServiceContext } from '../context.ts';
import { createObserver } from '../monitoring/request-log.ts';
import { listRoutes, unmatchedRoute } from '../routes/routes.ts';
import { createListener } from './listener.ts';
import { createMalformedResponder } from './malformed-http.ts';
import { createRequestIds } from './request-ids.ts';
import { createRouter } from './router.ts';
import type { TlsIdentity } from './tls-identity.ts';

/** How much of this service a client may use before it is disconnected. Times in milliseconds, sizes in bytes. */
export const defaultLimits = {
  /** For the whole header, so that nobody holds a connection by sending it byte by byte. */
  headersTimeout: 10_000,
  /** For header and body. */
  requestTimeout: 30_000,
  /** Without a byte in either direction, as when a response is not read. Longer than `requestTimeout`, or its 408 would never be sent. */
  idleTimeout: 35_000,
  /** Between two requests; longer than proxies commonly wait, so that it is they who close. */
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16 * 1024,
  /** Further connections are closed at once. */
  maxConnections: 2_000,
};
type Limits = Readonly<typeof defaultLimits>;

export interface ServerSettings {
  readonly docs: boolean;
  readonly behindProxy: boolean;
  readonly limits?: Partial<Limits> | undefined;
}

/** Builds the server of the service. It does not listen: `openService` does. */
export function createHttpServer(
  services: ServiceContext,
  settings: ServerSettings,
  identity: TlsIdentity | undefined,
): Server {
  const limits = { ...defaultLimits, ...settings.limits };
  /**
   * The latest response of a connection that was noted as outstanding. One is enough: responses are sent in the order of
   * their requests, so when the latest is sent, all are.
   */
  const outstanding = new WeakMap<Duplex, ServerResponse>();
  const shared = {
    createRequestId: createRequestIds(),
    observe: createObserver(services, settings.behindProxy),
  };
  function limitIdleTime(socket: Socket): void {
    socket.setTimeout(limits.idleTimeout);
  }
  const listener = createListener(services, {
    ...shared,
    findRoute: createRouter(listRoutes(settings), unmatchedRoute),
    isStopping: () => !server.listening,
    noteOutstanding: (response) => void outstanding.set(response.req.socket, response),
    isLatest: (response) => outstanding.get(response.req.socket) === response,
    limitIdleTime,
  });
  const malformed = createMalformedResponder({
    ...shared,
    findLatest: (socket) => outstanding.get(socket),
  });

  const options = {
    ...limits,
    connectionsCheckingInterval: Math.min(limits.headersTimeout, 1_000),
    // Node's own response to a missing Host has no body; the listener gives its own.
    requireHostHeader: false,
    // Or the first of two Host or Authorization fields would count, and somebody else may have taken the other one.
    joinDuplicateHeaders: true,
  };
  const server = identity
    ? createTlsServer(
        { ...options, ...identity, handshakeTimeout: limits.headersTimeout },
        listener,
      )
    : createServer(options, listener);
  // A client that ends its side still reads: Node would close the connection without the responses it waits for.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.maxConnections = limits.maxConnections;
  // Not `server.setTimeout`, which costs each request a timer: Node itself limits the time of a request and the time
  // between two, which leaves a new connection and a response that waits or is not read.
  server.on(identity ? 'secureConnection' : 'connection', limitIdleTime);
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node would respond with an empty 417.
  server.on('checkExpectation', listener);
  server.on('clientError', malformed.onClientError);
  server.on('connect', (request: IncomingMessage) => {
    const { socket } = request;
    // Node removes its own listeners from such a socket.
    socket.on('error', () => socket.destroy());
    socket.setTimeout(limits.idleTimeout, () => socket.destroy());
    // Its client need not close its side.
    socket.on('finish', () => socket.destroy());
    malformed.onConnect(request);
  });
  return server;
}
