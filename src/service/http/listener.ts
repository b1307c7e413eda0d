import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { ServiceContext } from '../context.ts';
import type { Observer } from '../monitoring/request-log.ts';
import { keyRefusals, toErrorResponse } from './error-response.ts';
import { hasBody, openBody } from './request-body.ts';
import { checkRequestHead } from './request-head.ts';
import type { RequestIds } from './request-ids.ts';
import type { ServiceResponse } from './response.ts';
import { type Match, pathOf, type Router, toOriginForm } from './router.ts';
import { writeResponse } from './write-response.ts';

export interface ListenerParts {
  readonly findRoute: Router;
  readonly createRequestId: RequestIds;
  readonly observe: Observer;
  /** Whether clients are to close their connections. */
  readonly isStopping: () => boolean;
  /** Called with each response that may be outstanding when more arrives on its connection, in the order of their requests. */
  readonly noteOutstanding: (response: ServerResponse) => void;
  /** Whether no request came after this one on its connection. */
  readonly isLatest: (response: ServerResponse) => boolean;
  /** Called when a connection must wait: for the service, or for a client that does not read. */
  readonly limitIdleTime: (socket: Socket) => void;
}

type Pending = ServiceResponse | Promise<ServiceResponse>;

/** The one way from a request to its response. What needs no waiting is responded to at once, without a promise. */
export function createListener(services: ServiceContext, parts: ListenerParts): RequestListener {
  /** What still arrives on them is not processed: nobody would get its response (RFC 9112, section 9.6). */
  const closing = new WeakSet<Socket>();

  return (request, response) => {
    if (closing.has(request.socket)) return;
    const startedAt = performance.now();
    const requestId = parts.createRequestId(request.headers);
    const url = toOriginForm(request.url ?? '');
    const match = parts.findRoute(request.method ?? '', pathOf(url));

    function finish(result: ServiceResponse): void {
      const { operation, fields } = match.route;
      // Not before the latest: its client would ignore the responses that follow.
      if (parts.isStopping() && parts.isLatest(response)) response.shouldKeepAlive = false;
      if (result.closes) response.shouldKeepAlive = false;
      writeResponse(response, result, fields, requestId);
      if (!response.shouldKeepAlive) closing.add(request.socket);
      if (response.writableLength > 0) parts.limitIdleTime(request.socket);
      const milliseconds = performance.now() - startedAt;
      parts.observe({ requestId, operation, url, status: result.status, milliseconds }, request);
    }
    let result: Pending;
    try {
      result = respond(request, url, match, services);
    } catch (error) {
      result = toErrorResponse(error, requestId, services.log);
    }
    // Requests that arrived together are all seen before one of them is taken for the latest.
    if (parts.isStopping()) result = Promise.resolve(result);
    // Without a socket it is queued behind the response to an earlier request.
    if (result instanceof Promise || response.socket === null || hasBody(request))
      parts.noteOutstanding(response);
    if (result instanceof Promise) {
      parts.limitIdleTime(request.socket);
      result.then(finish, (error: unknown) =>
        finish(toErrorResponse(error, requestId, services.log)),
      );
    } else finish(result);
  };
}

function respond(
  request: IncomingMessage,
  url: string,
  { route, parameter }: Match,
  services: ServiceContext,
): Pending {
  const { headers } = request;
  const readBody = route.readsBody ? openBody(request) : undefined;

  function handle(): Pending {
    if (readBody === undefined)
      return route.handle({ url, parameter, headers, body: noBody }, services);
    return readBody().then((body) => route.handle({ url, parameter, headers, body }, services));
  }

  const refusal = checkRequestHead(request);
  if (refusal !== undefined) return refusal;
  if (!route.needsKey) return handle();
  const verdict = services.authenticator.authenticate(headers.authorization);
  if (verdict === 'accepted') return handle();
  if (typeof verdict === 'string') return keyRefusals[verdict];
  return verdict.then((late) => (late === 'accepted' ? handle() : keyRefusals[late]));
}

const noBody = new Uint8Array();
