import { parse } from 'node:querystring';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { BASE_PATH } from '../contract/operations.ts';
import { createAuth } from './hooks/auth.ts';
import { addErrors, collectRoutes } from './hooks/errors.ts';
import type { Metrics } from './hooks/metrics.ts';
import { observeRequests } from './hooks/observe.ts';
import { addRequestChecks, rewriteUrl } from './hooks/request-checks.ts';
import { createLimitedServer } from './http-server.ts';
import type { LastUsedRecorder } from './last-used.ts';
import type { ServiceLimits } from './limits.ts';
import { requestIdOf } from './request-id.ts';
import { createCreatePet } from './routes/create-pet.ts';
import { createGetPet } from './routes/get-pet.ts';
import { addHealth } from './routes/health.ts';
import { createListPets } from './routes/list-pets.ts';
import { createReadQueue } from './routes/read-queue.ts';
import { ServiceError } from './service-error.ts';
import type { AddQueue } from './storage/add-queue.ts';
import type { Store } from './storage/store.ts';
import type { TlsPair } from './tls.ts';

export interface AppSettings {
  /** The date that getPet takes for today; the clock's unless given. */
  readonly asOf?: Date | undefined;
  readonly docs: boolean;
  readonly behindProxy: boolean;
}

export interface AppParts {
  readonly store: Store;
  readonly adds: AddQueue;
  readonly keyUses: Pick<LastUsedRecorder, 'note'>;
  readonly settings: AppSettings;
  readonly limits: ServiceLimits;
  readonly clock: () => Date;
  readonly log: FastifyBaseLogger;
  readonly tls?: TlsPair | undefined;
  readonly metrics?: Metrics | undefined;
  /** Aborted when the service begins to stop. */
  readonly stopping: AbortSignal;
}

/** Builds the v1 service, which listens to nothing yet. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { store, settings, limits, log, tls, metrics, stopping } = parts;
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A child for each request costs more than its line; the lines have the id themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: requestIdOf,
    bodyLimit: limits.bodyBytes,
    trustProxy: settings.behindProxy,
    return503OnClosing: false,
    rewriteUrl,
    routerOptions: {
      maxParamLength: limits.headerBytes,
      querystringParser: (text) => parse(text, '&', '=', { maxKeys: 0 }),
    },
    // The server has its own.
    clientErrorHandler: () => {},
    serverFactory: (handle) => createLimitedServer(handle, { limits, tls, log, metrics }),
  });
  // A string would have U+FFFD in place of bytes that are not UTF-8.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readBody);

  addErrors(app);
  const refuseUnknown = collectRoutes(app);
  app.setNotFoundHandler(refuseUnknown);
  // Whatever the body is, which is not read.
  app.addHook('preParsing', async (request) =>
    request.is404 ? refuseUnknown(request) : undefined,
  );
  // First, since a refused request has no further hook.
  observeRequests(app, metrics);
  addRequestChecks(app, { stopping, headerBytes: limits.headerBytes });
  addHealth(app, { store, stopping });
  if (settings.docs) {
    const { addDocs } = await import('./hooks/docs.ts');
    addDocs(app);
  }
  app.register(
    (v1, _, done) => {
      v1.setNotFoundHandler(refuseUnknown);
      addOperations(v1, parts);
      done();
    },
    { prefix: BASE_PATH },
  );
  return app;
}

const encodedBody = new ServiceError(
  'unsupported_media_type',
  'the body must have no Content-Encoding',
);

async function readBody({ headers }: FastifyRequest, body: Buffer): Promise<Buffer> {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.trim().toLowerCase() !== 'identity') throw encodedBody;
  return body;
}

/** The operations of the contract, each behind an API key. */
function addOperations(v1: FastifyInstance, parts: AppParts): void {
  const { store, adds, keyUses, clock, settings, limits } = parts;
  v1.decorateRequest('apiKey');
  const auth = createAuth({ store, clock, noteUse: keyUses.note });
  v1.addHook('onRequest', auth.onRequest);
  v1.addHook('preHandler', auth.preHandler);
  v1.get('/pets', createListPets(store, createReadQueue(limits.waitingReads)));
  v1.post('/pets', createCreatePet(adds));
  v1.get(
    '/pets/:petId',
    createGetPet(store, () => settings.asOf ?? clock()),
  );
}
