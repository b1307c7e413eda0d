import type { IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** How a request ended. `milliseconds` from its header to its response. */
interface Outcome {
  readonly requestId: string;
  readonly operation: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** What is known of a request; of a malformed one little is. */
interface ObservedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Duplex;
}

/** Counts a response and logs it: the only place that does. */
export type Observer = (outcome: Outcome, request: ObservedRequest) => void;

/** How requests that meet no operation are counted and logged. */
export const NO_OPERATION = 'none';

/** A path as it is logged: nothing of the query, where somebody may have put a key. */
const LOGGED_PATH_LENGTH = 200;

/** `behindProxy`: the client is whom the proxy names. */
export function createObserver(
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
  behindProxy: boolean,
): Observer {
  return (outcome, request) => {
    const { requestId, operation, status, milliseconds } = outcome;
    metrics.count(operation, status, milliseconds / 1000);
    const write = status < 400 ? log.debug : log.info;
    write?.('responded', {
      requestId,
      operation,
      method: request.method,
      path: request.url?.split('?', 1)[0]?.slice(0, LOGGED_PATH_LENGTH),
      status,
      milliseconds: Math.round(milliseconds * 100) / 100,
      client: findClient(request, behindProxy),
    });
  };
}

/** Behind a proxy the first address of X-Forwarded-For, which the proxy vouches for. */
function findClient({ headers, socket }: ObservedRequest, behindProxy: boolean) {
  const forwarded = behindProxy ? headers['x-forwarded-for'] : undefined;
  const [first = ''] = typeof forwarded === 'string' ? forwarded.split(',', 1) : [];
  return first.trim() || (socket instanceof Socket ? socket.remoteAddress : undefined);
}
