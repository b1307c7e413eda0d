import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
  type HookHandlerDoneFunction,
} from 'fastify';
import { headers } from '../../contract/headers.ts';
import type { ServiceContext } from '../context.ts';
import { observeStart, observeUnrouted } from '../monitoring/request-log.ts';
import { addDocs } from '../routes/docs.ts';
import { addHealth } from '../routes/health.ts';
import { addNothingHere } from '../routes/not-found.ts';
import { addV1, createAuthorize } from '../routes/v1.ts';
import { createFailureHandler } from './error-response.ts';
import { answerMalformedHttp } from './malformed-http.ts';
import { createRequestIds } from './request-ids.ts';
import { sendError } from './responses.ts';

export interface AppOptions {
  readonly serverFactory: FastifyServerFactory;
  readonly docs: boolean;
  readonly behindProxy: boolean;
}

const BODY_LIMIT = 64 * 1024;

/** Longer than a header may be: what is no int64 is answered by its handler. */
const MAX_PARAM_LENGTH = 64 * 1024;

/** Builds the service. It does not listen: `openService` does. */
export function buildApp(context: ServiceContext, options: AppOptions): FastifyInstance {
  const fail = createFailureHandler(context.log);
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    logger: false,
    return503OnClosing: false,
    trustProxy: options.behindProxy,
    genReqId: createRequestIds(),
    // Handlers that have a query read it themselves; a kept page is found without.
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, querystringParser: () => ({}) },
    serverFactory: options.serverFactory,
    clientErrorHandler: answerMalformedHttp,
    frameworkErrors: answerUndecodablePath(context),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler(fail);
  observeStart(app);
  observeUnrouted(app, context);
  app.addHook('onRequest', refuseUnnamedHost);
  addNothingHere(app, (url) => !isV1(url));
  addHealth(app, context);
  if (options.docs) addDocs(app, context);
  addV1(app, context);
  return app;
}

/** Whether a path belongs to the contract, which asks for a key first. */
function isV1(url: string): boolean {
  return /^\/v1(?:[/?]|$)/.test(url);
}

/** A path whose percent-encoding cannot be decoded meets neither route nor hook: it is still 401 before it is 404. */
function answerUndecodablePath({ authenticator }: ServiceContext) {
  const authorize = createAuthorize(authenticator);
  return async (_error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header(headers.requestId, request.id);
    if (isV1(request.url)) await authorize(request, reply);
    if (!reply.sent) sendError(reply, 'not_found', 'there is nothing here');
  };
}

/** HTTP/1.1 demands a Host (RFC 9112, section 3.2). */
function refuseUnnamedHost(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  if (raw.headers.host !== undefined || raw.httpVersion === '1.0') done();
  else sendError(reply, 'invalid_request', 'Host: is required');
}
