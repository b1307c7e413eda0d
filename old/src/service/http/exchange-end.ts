import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { ServiceContext } from '../context.ts';
import type { Observer } from '../monitoring/request-log.ts';
import type { Admission } from './admission/admission.ts';
import { toErrorResponse } from './error-response.ts';
import type { Exchange } from './exchange.ts';
import { leavesLargeBody } from './request-body.ts';
import type { ServiceResponse } from './response.ts';
import { writeResponse } from './write-response.ts';

export interface ExchangeEndParts {
  readonly admission: Pick<Admission, 'lingering' | 'requests' | 'unanswered' | 'waitForTurn'>;
  readonly observe: Observer;
  /** Called when a connection must wait: for the service, or for a client that does not read. */
  readonly limitIdleTime: (socket: Socket) => void;
}

/** The end of an exchange: its response is written at once, or when it is known, and observed. */
export function createExchangeEnd(services: ServiceContext, parts: ExchangeEndParts) {
  const { lingering, requests, unanswered, waitForTurn } = parts.admission;
  const stopping = services.stopping.signal;

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
    const isLast = stopping.aborted && unanswered.findLatest(socket) === response;
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

  function finishLater(exchange: Exchange, pending: Promise<ServiceResponse>): void {
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

  return { finish, finishLater };
}

/** Node closes a connection of HTTP/1.0 whose response has no length. */
function endsByClosing({ httpVersion }: IncomingMessage, { status }: ServiceResponse): boolean {
  return httpVersion === '1.0' && status === 204;
}
