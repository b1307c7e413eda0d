import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { ServiceContext } from '../context.ts';
import type { Observer } from '../monitoring/request-log.ts';
import type { Admission } from './admission/admission.ts';
import { toErrorResponse } from './error-response.ts';
import { hasBody, leavesLargeBody, openBody } from './request-body.ts';
import { checkRequestHead } from './request-head.ts';
import type { RequestIds } from './request-ids.ts';
import { type Pending, type RequestToHandle, respond } from './respond.ts';
import type { ServiceResponse } from './response.ts';
import { pathOf, type Router, toOriginForm } from './router.ts';
import { writeResponse } from './write-response.ts';

export interface ListenerParts {
  readonly admission: Pick<
    Admission,
    'limits' | 'lingering' | 'reading' | 'refusals' | 'requests' | 'unanswered' | 'waitForTurn'
  >;
  readonly findRoute: Router;
  readonly createRequestId: RequestIds;
  readonly observe: Observer;
  /** Called when a connection must wait: for the service, or for a client that does not read. */
  readonly limitIdleTime: (socket: Socket) => void;
}

/** A request on its way to its response. */
interface Exchange extends RequestToHandle {
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAt: number;
  /** The response to a head that cannot be accepted. */
  readonly refusal: ServiceResponse | undefined;
  /** Whether it arrived before the response to an earlier request of its connection was sent. */
  readonly isPipelined: boolean;
  isUnanswered: boolean;
}

type Arrival = Pick<Exchange, 'startedAt' | 'isPipelined' | 'isUnanswered'>;

/** The one way from a request to its response. What needs no waiting is responded to at once, without a promise. */
export function createListener(services: ServiceContext, parts: ListenerParts): RequestListener {
  const { lingering, reading, requests, unanswered, waitForTurn } = parts.admission;
  const isStopping = () => services.stopping.signal.aborted;

  /** False when its connection was closed for having too many. */
  function addToUnanswered(exchange: Exchange): boolean {
    if (exchange.isUnanswered) return true;
    exchange.isUnanswered = true;
    return unanswered.add(exchange.response);
  }

  function finish(exchange: Exchange, result: ServiceResponse): void {
    const { request, response, match, requestId, url } = exchange;
    const { operation, fields } = match.route;
    const { socket } = request;
    // When stopping not before the latest: its client would ignore the responses that follow.
    const isLast = isStopping() && unanswered.findLatest(socket) === response;
    if (isLast || result.closes || leavesLargeBody(request) || endsByClosing(request, result))
      response.shouldKeepAlive = false;
    writeResponse(
      response,
      result,
      { route: fields, key: exchange.key?.fields },
      requestId,
      waitForTurn,
    );
    if (!response.shouldKeepAlive) lingering.markClosing(socket);
    if (response.writableLength > 0 && addToUnanswered(exchange)) {
      unanswered.countUnread(response);
      parts.limitIdleTime(socket);
    }
    const milliseconds = performance.now() - exchange.startedAt;
    parts.observe({ requestId, operation, url, status: result.status, milliseconds }, request);
  }

  function waitFor(exchange: Exchange, pending: Promise<ServiceResponse>): void {
    addToUnanswered(exchange);
    requests.enter();
    parts.limitIdleTime(exchange.request.socket);
    const end = (result: ServiceResponse) => {
      requests.leave();
      // What many wait for, such as a database, ends for all of them at once.
      if (exchange.isPipelined) waitForTurn(() => finish(exchange, result));
      else finish(exchange, result);
    };
    pending.then(end, (error: unknown) =>
      end(toErrorResponse(error, exchange.requestId, services.log)),
    );
  }

  function run(exchange: Exchange): void {
    const { request, match, requestId, refusal } = exchange;
    if (!canRespond(request)) return;
    if (refusal !== undefined) lingering.markClosing(request.socket);
    let result: Pending;
    try {
      result = refusal ?? requests.refuse(match.route) ?? respond(exchange, requests, services);
    } catch (error) {
      result = toErrorResponse(error, requestId, services.log);
    }
    // Requests that arrived together are all seen before one of them is taken for the latest.
    if (isStopping()) result = Promise.resolve(result);
    if (result instanceof Promise) waitFor(exchange, result);
    else finish(exchange, result);
  }

  function canRespond({ socket }: IncomingMessage): boolean {
    return socket.writable && !lingering.isClosing(socket);
  }

  function openExchange(
    request: IncomingMessage,
    response: ServerResponse,
    { startedAt, isPipelined, isUnanswered }: Arrival,
  ): Exchange {
    const url = toOriginForm(request.url ?? '');
    const match = parts.findRoute(request.method ?? '', pathOf(url));
    return {
      request,
      response,
      url,
      match,
      startedAt,
      isPipelined,
      isUnanswered,
      requestId: parts.createRequestId(request.headers),
      refusal: checkRequestHead(request),
      key: undefined,
      readBody: match.route.readsBody ? openBody(request, response, parts.admission) : undefined,
    };
  }

  return (request, response) => {
    // Without a socket it is queued after the response to an earlier request.
    const isPipelined = response.socket === null;
    reading.count(isPipelined);
    if (!canRespond(request)) return;
    const isUnanswered = isPipelined || hasBody(request) || isStopping();
    if (isUnanswered && !unanswered.add(response)) return;
    const arrival = { startedAt: performance.now(), isPipelined, isUnanswered };
    if (!isPipelined) run(openExchange(request, response, arrival));
    else if (hasBody(request)) {
      // An error of its body must be noticed before its turn.
      const exchange = openExchange(request, response, arrival);
      waitForTurn(() => run(exchange));
    } else waitForTurn(() => run(openExchange(request, response, arrival)));
  };
}

/** Node closes a connection of HTTP/1.0 whose response has no length. */
function endsByClosing({ httpVersion }: IncomingMessage, { status }: ServiceResponse): boolean {
  return httpVersion === '1.0' && status === 204;
}
