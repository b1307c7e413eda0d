import type { IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** How a request ended. */
interface Outcome {
  readonly requestId: string;
  readonly operation: string;
  readonly status: number;
  /** Path and query; unknown of a malformed request. */
  readonly url?: string;
  /** From its header to its response; unknown of a malformed request. */
  readonly milliseconds?: number;
}

/** What is known of a request; little of a malformed one. */
interface ObservedRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Duplex;
}

/** Counts a response and logs it: the only place that does. */
export type Observer = (outcome: Outcome, request: ObservedRequest) => void;

/** How requests that meet no operation are counted and logged. */
export const NO_OPERATION = 'none';

const LOGGED_PATH_LENGTH = 200;

/** `behindProxy`: the client is whom the proxy names. */
export function createObserver(
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
  behindProxy: boolean,
): Observer {
  return (outcome, request) => {
    const { requestId, operation, url, status, milliseconds } = outcome;
    metrics.count(operation, status, milliseconds);
    const write = status < 400 ? log.debug : log.info;
    write?.('responded', {
      requestId,
      operation,
      method: request.method,
      path: url === undefined ? undefined : toLoggedPath(url),
      status,
      milliseconds: milliseconds === undefined ? undefined : Math.round(milliseconds * 100) / 100,
      client: findClient(request, behindProxy),
    });
  };
}

/** Nothing of the query, and nothing that is not a path: somebody may have put a key there. */
function toLoggedPath(url: string): string | undefined {
  return url.startsWith('/') ? url.split('?', 1)[0]?.slice(0, LOGGED_PATH_LENGTH) : undefined;
}

/** Behind a proxy the first address of X-Forwarded-For, which the proxy vouches for. */
function findClient({ headers, socket }: ObservedRequest, behindProxy: boolean) {
  const forwarded = behindProxy ? headers['x-forwarded-for'] : undefined;
  const addresses = typeof forwarded === 'string' ? forwarded.split(',') : [];
  const first = addresses.map((address) => address.trim()).find((address) => address !== '');
  return first ?? (socket instanceof Socket ? socket.remoteAddress : undefined);
}
