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

/** What a client may take of this service before it is cut off. Times in milliseconds, sizes in bytes. */
const defaultLimits = {
  /** For the whole header, so that nobody holds a connection by sending it letter by letter. */
  headersTimeout: 10_000,
  /** For header and body. */
  requestTimeout: 30_000,
  /** Without a byte in either direction, as when a response is not read. */
  idleTimeout: 30_000,
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
  const pending = new WeakMap<Duplex, ServerResponse>();
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
    notePending({ socket }, response) {
      pending.set(socket, response);
      limitIdleTime(socket);
    },
    noteUnread: ({ socket }) => limitIdleTime(socket),
  });
  const malformed = createMalformedResponder({
    ...shared,
    findPending: (socket) => pending.get(socket),
  });

  const options = {
    ...limits,
    connectionsCheckingInterval: Math.min(limits.headersTimeout, 1_000),
    // Node's own response to a missing Host has no body; the listener gives its own.
    requireHostHeader: false,
  };
  const server = identity
    ? createTlsServer(
        { ...options, ...identity, handshakeTimeout: limits.headersTimeout },
        listener,
      )
    : createServer(options, listener);
  server.maxConnections = limits.maxConnections;
  // Not `server.setTimeout`, which costs each request a timer: Node itself limits the time of a request and the time
  // between two, which leaves a new connection and a response that waits or is not read.
  server.on(identity ? 'secureConnection' : 'connection', limitIdleTime);
  // An expectation nobody knows may be ignored (RFC 9110, section 10.1.1); Node would respond with an empty 417.
  server.on('checkExpectation', listener);
  server.on('clientError', malformed.onClientError);
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    // Node lets go of such a socket, with its time limits.
    request.socket.setTimeout(limits.idleTimeout, () => socket.destroy());
    malformed.onConnect(request, socket);
  });
  return server;
}
