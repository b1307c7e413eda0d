import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { ServiceContext } from '../../context.ts';
import { createObserver } from '../../monitoring/request-log.ts';
import type { Admission } from '../admission/admission.ts';
import type { Limits } from '../admission/limits.ts';
import { createListener } from '../listener.ts';
import { createMalformedResponder } from '../malformed-http.ts';
import { createRequestIds } from '../request-ids.ts';
import type { Router } from '../router.ts';
import type { TlsIdentity } from './tls-identity.ts';

export interface ServerSettings {
  readonly findRoute: Router;
  readonly behindProxy: boolean;
}

/** Builds a server of the service. It does not listen: `openService` does. */
export function createHttpServer(
  services: ServiceContext,
  admission: Admission,
  { findRoute, behindProxy }: ServerSettings,
  identity: TlsIdentity | undefined,
): Server {
  const { limits, connections, reading, unanswered, lingering, waitForTurn } = admission;
  const shared = {
    createRequestId: createRequestIds(),
    observe: createObserver(services, behindProxy),
  };
  const limitIdleTime = (socket: Socket) => void socket.setTimeout(limits.idleTimeout);
  const listener = createListener(services, {
    ...shared,
    admission,
    findRoute,
    limitIdleTime,
  });
  const malformed = createMalformedResponder({
    ...shared,
    findLatest: unanswered.findLatest,
    lingering,
    waitForTurn,
  });

  const server = createNodeServer(listener, limits, identity);
  server.on(identity ? 'secureConnection' : 'connection', (socket: Socket) => {
    // Not `server.setTimeout`, which costs each request a timer: Node itself limits the time of a request and the time
    // between two, which leaves a new connection and a response that waits or is not read.
    limitIdleTime(socket);
    reading.follow(socket);
    // Node calls it after the last response of a connection; its own would reset a client that is still sending.
    socket.destroySoon = () => lingering.close(socket);
    // What has arrived goes to the parser before anything can pause the connection: the parser takes what follows from
    // the system itself, which would overtake it.
    while (socket.read() !== null);
  });
  // Without this listener Node would send 100 Continue before the key was checked.
  server.on('checkContinue', listener);
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node would respond with an empty 417.
  server.on('checkExpectation', listener);
  server.on('clientError', malformed.onClientError);
  server.on('connect', (request: IncomingMessage) => {
    const { socket } = request;
    // Node removes its own listeners from such a socket, and without one an error would end the service.
    socket.on('error', () => {});
    socket.setTimeout(limits.idleTimeout, () => socket.destroy());
    malformed.onConnect(request);
  });
  connections.watch(server);
  return server;
}

/** A server of Node that leaves to the listener what it can do itself. */
function createNodeServer(
  listener: RequestListener,
  limits: Limits,
  identity: TlsIdentity | undefined,
): Server {
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
  return server;
}
