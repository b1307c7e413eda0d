import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { ServiceContext } from '../context.ts';
import type { Observer } from '../monitoring/request-log.ts';
import type { Admission } from './admission/admission.ts';
import type { RequestAdmission } from './admission/requests.ts';
import { keyRefusals, toErrorResponse } from './error-response.ts';
import { hasBody, leavesLargeBody, openBody } from './request-body.ts';
import { checkRequestHead } from './request-head.ts';
import type { RequestIds } from './request-ids.ts';
import type { ServiceResponse } from './response.ts';
import { type Match, pathOf, type Router, toOriginForm } from './router.ts';
import { writeResponse } from './write-response.ts';

export interface ListenerParts {
  readonly admission: Pick<Admission, 'requests' | 'unanswered' | 'waitForTurn'>;
  readonly findRoute: Router;
  readonly createRequestId: RequestIds;
  readonly observe: Observer;
  /** Called when a connection must wait: for the service, or for a client that does not read. */
  readonly limitIdleTime: (socket: Socket) => void;
}

type Pending = ServiceResponse | Promise<ServiceResponse>;

/** The one way from a request to its response. What needs no waiting is responded to at once, without a promise. */
export function createListener(services: ServiceContext, parts: ListenerParts): RequestListener {
  const { requests, unanswered, waitForTurn } = parts.admission;
  const isStopping = () => services.stopping.signal.aborted;
  /** What still arrives on them is not processed: nobody would get its response (RFC 9112, section 9.6). */
  const closing = new WeakSet<Socket>();

  return (request, response) => {
    const { socket } = request;
    if (!socket.writable || closing.has(socket)) return;
    const startedAt = performance.now();
    const requestId = parts.createRequestId(request.headers);
    const url = toOriginForm(request.url ?? '');
    const match = parts.findRoute(request.method ?? '', pathOf(url));
    let isAdded = false;

    function addToUnanswered(): boolean {
      if (isAdded) return true;
      isAdded = true;
      return unanswered.add(response);
    }

    function finish(result: ServiceResponse): void {
      const { operation, fields } = match.route;
      // When stopping not before the latest: its client would ignore the responses that follow.
      if (
        result.closes ||
        leavesLargeBody(request) ||
        (isStopping() && unanswered.findLatest(socket) === response)
      )
        response.shouldKeepAlive = false;
      writeResponse(response, result, fields, requestId);
      if (!response.shouldKeepAlive) closing.add(socket);
      if (response.writableLength > 0 && addToUnanswered()) {
        unanswered.countUnread(response);
        parts.limitIdleTime(socket);
      }
      const milliseconds = performance.now() - startedAt;
      parts.observe({ requestId, operation, url, status: result.status, milliseconds }, request);
    }

    function waitFor(pending: Promise<ServiceResponse>): void {
      addToUnanswered();
      requests.enter();
      parts.limitIdleTime(socket);
      void pending
        .catch((error: unknown) => toErrorResponse(error, requestId, services.log))
        .then((result) => {
          requests.leave();
          finish(result);
        });
    }

    function run(): void {
      if (!socket.writable) return;
      let result: Pending;
      try {
        result = refusal ?? requests.refuse(match.route) ?? respond(request, work, services);
      } catch (error) {
        result = toErrorResponse(error, requestId, services.log);
      }
      // Requests that arrived together are all seen before one of them is taken for the latest.
      if (isStopping()) result = Promise.resolve(result);
      if (result instanceof Promise) waitFor(result);
      else finish(result);
    }

    // Without a socket it is queued behind the response to an earlier request.
    const isPipelined = response.socket === null;
    if ((isPipelined || hasBody(request) || isStopping()) && !addToUnanswered()) return;
    const readBody = match.route.readsBody ? openBody(request, response) : undefined;
    const work = { url, match, readBody, requests };
    const refusal = checkRequestHead(request);
    if (refusal !== undefined) closing.add(socket);
    if (isPipelined) waitForTurn(run);
    else run();
  };
}

interface Work {
  readonly url: string;
  readonly match: Match;
  /** Where the route reads one. */
  readonly readBody: (() => Promise<Buffer>) | undefined;
  readonly requests: RequestAdmission;
}

function respond(
  request: IncomingMessage,
  { url, match, readBody, requests }: Work,
  services: ServiceContext,
): Pending {
  const { headers } = request;
  const { route, parameter } = match;

  function handle(): Pending {
    if (readBody !== undefined)
      return requests.holdAdd(headers.authorization, () =>
        readBody().then((body) => route.handle({ url, parameter, headers, body }, services)),
      );
    const refusal = route.needsKey ? requests.refuseRead() : undefined;
    const result = refusal ?? route.handle({ url, parameter, headers, body: noBody }, services);
    if (route.needsKey && result instanceof Promise) requests.holdRead(result);
    return result;
  }

  if (!route.needsKey) return handle();
  const verdict = services.authenticator.authenticate(headers.authorization);
  if (verdict === 'accepted') return handle();
  if (typeof verdict === 'string') return keyRefusals[verdict];
  return verdict.then((late) => (late === 'accepted' ? handle() : keyRefusals[late]));
}

const noBody = new Uint8Array();
