import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ServiceContext } from '../context.ts';
import { createObserver } from '../monitoring/request-log.ts';
import { listRoutes, unmatchedRoute } from '../routes/routes.ts';
import { type Limits, limitConnections, limitRequests } from './admission.ts';
import { createListener } from './listener.ts';
import { createMalformedResponder } from './malformed-http.ts';
import { createBodyReader } from './request-body.ts';
import { createRequestIds } from './request-ids.ts';
import { createRouter } from './router.ts';
import type { TlsIdentity } from './tls-identity.ts';

export interface ServerSettings {
  readonly docs: boolean;
  readonly behindProxy: boolean;
  readonly limits: Limits;
  readonly identity: TlsIdentity | undefined;
}

/** Builds the server of the service. It does not listen: `openService` does. */
export function createHttpServer(services: ServiceContext, settings: ServerSettings): Server {
  const pending = new WeakMap<Duplex, ServerResponse>();
  const shared = {
    bodies: createBodyReader(),
    createRequestId: createRequestIds(),
    observe: createObserver(services, settings.behindProxy),
  };
  const listener = createListener(services, {
    ...shared,
    findRoute: createRouter(listRoutes(settings), unmatchedRoute),
    isStopping: () => !server.listening,
    notePending: ({ socket }, response) => void pending.set(socket, response),
  });
  const malformed = createMalformedResponder({
    ...shared,
    findPending: (socket) => pending.get(socket),
  });

  const { limits, identity } = settings;
  // Node's own response to a missing Host has no body; the listener gives its own.
  const options = { ...limitRequests(limits), requireHostHeader: false };
  const server = identity
    ? createTlsServer(
        { ...options, ...identity, handshakeTimeout: limits.headersTimeout },
        listener,
      )
    : createServer(options, listener);
  limitConnections(server, limits);
  // An expectation nobody knows may be ignored (RFC 9110, section 10.1.1); Node would respond with an empty 417.
  server.on('checkExpectation', listener);
  server.on('clientError', malformed.onClientError);
  server.on('connect', malformed.onConnect);
  return server;
}
