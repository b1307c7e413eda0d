import type { Server, ServerOptions } from 'node:http';

/** What a client may take of this service before it is cut off. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** For the whole header, so that nobody holds a connection by sending it letter by letter. */
  readonly headersTimeout: number;
  /** For header and body. */
  readonly requestTimeout: number;
  /** Without a byte in either direction, as when a response is not read. */
  readonly idleTimeout: number;
  /** Between two requests; longer than proxies commonly wait, so that it is they who close. */
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

/** The limits that Node's parser and timers hold. */
export function limitRequests(limits: Limits): ServerOptions {
  return {
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    maxHeaderSize: limits.maxHeaderSize,
    connectionsCheckingInterval: Math.min(limits.headersTimeout, 1_000),
  };
}

/** The limits of connections. */
export function limitConnections(server: Server, limits: Limits): void {
  server.maxConnections = limits.maxConnections;
  server.setTimeout(limits.idleTimeout);
}
