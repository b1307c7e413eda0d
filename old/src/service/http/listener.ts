import type { IncomingMessage, RequestListener } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { ServiceContext } from '../context.ts';
import type { Admission } from './admission/admission.ts';
import { toErrorResponse } from './error-response.ts';
import { createExchange, type Exchange, type ExchangeParts } from './exchange.ts';
import { createExchangeEnd, type ExchangeEndParts } from './exchange-end.ts';
import { hasBody } from './request-body.ts';
import { type Pending, respond } from './respond.ts';

export interface ListenerParts extends ExchangeParts, ExchangeEndParts {
  readonly admission: ExchangeParts['admission'] &
    ExchangeEndParts['admission'] &
    Pick<Admission, 'reading'>;
}

/** The one way from a request to its response. What needs no waiting is responded to at once, without a promise. */
export function createListener(services: ServiceContext, parts: ListenerParts): RequestListener {
  const { lingering, reading, requests, unanswered, waitForTurn } = parts.admission;
  const stopping = services.stopping.signal;
  const { finish, finishLater } = createExchangeEnd(services, parts);

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
    if (stopping.aborted) result = Promise.resolve(result);
    if (result instanceof Promise) finishLater(exchange, result);
    else finish(exchange, result);
  }

  function canRespond({ socket }: IncomingMessage): boolean {
    return socket.writable && !lingering.isClosing(socket);
  }

  return (request, response) => {
    // Without a socket it is queued after the response to an earlier request.
    const isPipelined = response.socket === null;
    reading.count(isPipelined);
    if (!canRespond(request)) {
      // Or Node would abort it with an error of its own, which takes longer than all else of a request.
      if (request.socket.destroyed) request.destroy();
      return;
    }
    const isUnanswered = isPipelined || hasBody(request) || stopping.aborted;
    if (isUnanswered && !unanswered.add(response)) return;
    const arrival = { startedAt: performance.now(), isPipelined, isUnanswered };
    if (!isPipelined) run(createExchange(request, response, arrival, parts));
    else if (hasBody(request)) {
      // An error of its body must be noticed before its turn.
      const exchange = createExchange(request, response, arrival, parts);
      waitForTurn(() => run(exchange));
    } else waitForTurn(() => run(createExchange(request, response, arrival, parts)));
  };
}
