import { performance } from 'node:perf_hooks';
import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '../../contract/headers.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When its header had arrived, on the clock of `performance.now`. */
    startedAt: number;
  }
}

type SendHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: DoneFuncWithErrOrRes,
) => void;

export interface ObserverContext {
  readonly log: Log;
  readonly metrics: Metrics;
}

/** A path as it is logged: nothing of the query, where somebody may have put a key. */
const LOGGED_PATH_LENGTH = 200;

/** Lets the app note when each request began. */
export function observeStart(app: FastifyInstance): void {
  app.decorateRequest('startedAt', 0);
  app.addHook('onRequest', (request, _reply, done) => {
    request.startedAt = performance.now();
    done();
  });
}

/** Observes what meets no route. */
export function observeUnrouted(app: FastifyInstance, context: ObserverContext): void {
  const observe = createObserver(context, 'none');
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.is404) observe(request, reply, payload, done);
    else done(null, payload);
  });
}

/** A hook that marks each answer of an operation with its request's id, counts it and logs it. */
export function createObserver({ log, metrics }: ObserverContext, operation: string): SendHook {
  return (request, reply, payload, done) => {
    const { statusCode } = reply;
    const milliseconds = performance.now() - request.startedAt;
    reply.header(headers.requestId, request.id);
    metrics.count(operation, statusCode, milliseconds / 1000);
    const write = statusCode < 400 ? log.debug : log.info;
    write?.('answered', describe(request, operation, statusCode, milliseconds));
    done(null, payload);
  };
}

function describe(
  request: FastifyRequest,
  operation: string,
  status: number,
  milliseconds: number,
): Record<string, string | number> {
  return {
    requestId: request.id,
    operation,
    method: request.method,
    path: request.url.split('?', 1)[0]?.slice(0, LOGGED_PATH_LENGTH) ?? '',
    status,
    milliseconds: Math.round(milliseconds * 100) / 100,
    client: request.ip,
  };
}
