import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from './admission/admission.ts';
import { openBody } from './request-body.ts';
import { checkRequestHead } from './request-head.ts';
import type { RequestIds } from './request-ids.ts';
import type { RequestToHandle } from './respond.ts';
import type { ServiceResponse } from './response.ts';
import { pathOf, type Router, toOriginForm } from './router.ts';

/** A request on its way to its response. */
export interface Exchange extends RequestToHandle {
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

export interface ExchangeParts {
  readonly admission: Pick<Admission, 'limits' | 'refusals'>;
  readonly findRoute: Router;
  readonly createRequestId: RequestIds;
}

/** Finds the route of a request that arrived, checks its head, and notices from now on when its body fails. */
export function createExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { startedAt, isPipelined, isUnanswered }: Arrival,
  parts: ExchangeParts,
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
