import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { headers, IDEMPOTENCY_DAYS } from '../contract/headers.ts';
import { buildOpenApi } from '../contract/openapi.ts';
import { version } from '../version.ts';
import { createFailureHandler } from './fail.ts';
import { createAuthenticator } from './keys/authenticator.ts';
import type { Log } from './log.ts';
import { answerMalformedHttp } from './malformed-http.ts';
import { findAllowedMethods } from './routes/allowed-methods.ts';
import { createCreatePet } from './routes/create-pet.ts';
import { createGetPet } from './routes/get-pet.ts';
import { createListPets } from './routes/list-pets.ts';
import { sendError, sendJson } from './send.ts';
import type { Store } from './store.ts';

export interface ServiceContext {
  readonly store: Store;
  readonly log: Log;
  /** The time by which keys and idempotency records age. */
  readonly now: () => Date;
  /** The time by which getPet is removed: `--as-of` sets it. */
  readonly getPetClock: () => Date;
}

const BODY_LIMIT = 64 * 1024;

/** Longer than any id: what is no int64 is answered by the handler. */
const MAX_PARAM_LENGTH = 32 * 1024;

/** Builds the service. It does not listen: tests and `serve` decide where. */
export function buildApp(context: ServiceContext): FastifyInstance {
  const fail = createFailureHandler(context.log);
  const authorize = createAuthorize(context);
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    logger: false,
    return503OnClosing: false,
    requestIdHeader: 'x-request-id',
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: answerMalformedHttp,
    // A path that cannot be decoded meets no route and no hook.
    frameworkErrors: async (error, request, reply) => {
      if (request.url.startsWith('/v1/')) await authorize(request, reply);
      if (!reply.sent) fail(error, request, reply);
    },
    http: { requireHostHeader: false },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler(fail);
  app.setNotFoundHandler(sendNothingHere);
  const openApi = JSON.stringify(buildOpenApi(version));
  app.get('/openapi.json', (_request, reply) => sendJson(reply, 200, openApi));
  void app.register(
    (v1, _options, done) => {
      v1.addHook('onRequest', authorize);
      v1.setNotFoundHandler(sendNothingHere);
      v1.get('/pets', createListPets(context.store));
      v1.post('/pets', createCreatePet(context.store, context.now));
      v1.get('/pets/:petId', createGetPet(context.store, context.getPetClock));
      done();
    },
    { prefix: '/v1' },
  );
  return app;
}

/** Comes before anything else on every /v1 path (contract, section 5). */
function createAuthorize({ store, now }: ServiceContext) {
  const { authenticate } = createAuthenticator(store, () => now().getTime());
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    reply.header(headers.petstoreIdempotency, `${IDEMPOTENCY_DAYS}d`);
    const verdict = await authenticate(request.headers.authorization);
    if (verdict === 'accepted') return undefined;
    const reason = verdict === 'invalid' ? ', error="invalid_token"' : '';
    reply.header('www-authenticate', `Bearer realm="petstore"${reason}`);
    return sendError(reply, 'unauthorized', describeRefusal[verdict]);
  };
}

const describeRefusal = {
  missing: 'an API key is needed: send it as Authorization: Bearer <API_KEY>',
  invalid: 'this API key is not valid',
} as const;

function sendNothingHere(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed = findAllowedMethods(request.url);
  if (allowed === undefined) return sendError(reply, 'not_found', 'there is nothing here');
  reply.header('allow', allowed);
  return sendError(reply, 'method_not_allowed', `here you may use ${allowed}`);
}
