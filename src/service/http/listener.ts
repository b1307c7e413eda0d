import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { ServiceContext } from '../context.ts';
import type { Observer } from '../monitoring/request-log.ts';
import { createErrorResponder, refuseKey } from './error-response.ts';
import type { ServiceResponse } from './message.ts';
import type { BodyReader } from './request-body.ts';
import type { RequestIds } from './request-ids.ts';
import { errorResponse } from './responses.ts';
import { type Match, pathOf, type Router, toOriginForm } from './router.ts';
import { writeResponse } from './write-response.ts';

export interface ListenerParts {
  readonly findRoute: Router;
  readonly bodies: BodyReader;
  readonly createRequestId: RequestIds;
  readonly observe: Observer;
  /** Whether clients are to close their connections. */
  readonly isStopping: () => boolean;
  /** Told of each response that something must be waited for. */
  readonly notePending: (request: IncomingMessage, response: ServerResponse) => void;
}

type Pending = ServiceResponse | Promise<ServiceResponse>;

/** The one way from a request to its response. What needs no waiting is responded to at once, without a promise. */
export function createListener(services: ServiceContext, parts: ListenerParts): RequestListener {
  const toErrorResponse = createErrorResponder(services.log);

  function handle(request: IncomingMessage, url: string, { route, parameter }: Match): Pending {
    const { headers } = request;
    if (!route.readsBody) return route.handle({ url, parameter, headers, body: noBody }, services);
    const body = parts.bodies.read(request);
    return body.then((bytes) => route.handle({ url, parameter, headers, body: bytes }, services));
  }

  function respond(request: IncomingMessage, url: string, match: Match): Pending {
    const { host, authorization } = request.headers;
    if (host === undefined && request.httpVersion !== '1.0') return hostIsRequired;
    if (!match.route.needsKey) return handle(request, url, match);
    const verdict = services.authenticator.authenticate(authorization);
    if (verdict === 'accepted') return handle(request, url, match);
    if (typeof verdict === 'string') return refuseKey(verdict);
    return verdict.then((late) =>
      late === 'accepted' ? handle(request, url, match) : refuseKey(late),
    );
  }

  return (request, response) => {
    const startedAt = performance.now();
    const requestId = parts.createRequestId(request.headers);
    const url = toOriginForm(request.url ?? '');
    const match = parts.findRoute(request.method ?? '', pathOf(url));

    function finish(result: ServiceResponse): void {
      const { operation, fields } = match.route;
      if (parts.isStopping()) response.shouldKeepAlive = false;
      writeResponse(response, result, fields, requestId);
      const milliseconds = performance.now() - startedAt;
      parts.observe({ requestId, operation, status: result.status, milliseconds }, request);
    }
    function fail(error: unknown): void {
      finish(toErrorResponse(error, requestId));
    }

    let result: Pending;
    try {
      result = respond(request, url, match);
    } catch (error) {
      fail(error);
      return;
    }
    if (result instanceof Promise) {
      parts.notePending(request, response);
      result.then(finish, fail);
    } else finish(result);
  };
}

const noBody = new Uint8Array();

/** HTTP/1.1 demands a Host (RFC 9112, section 3.2). */
const hostIsRequired = errorResponse('invalid_request', 'Host: is required');
