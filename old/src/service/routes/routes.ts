import { headers, IDEMPOTENCY_DAYS } from '../../contract/headers.ts';
import { BASE_PATH, type OperationName, operations } from '../../contract/operations.ts';
import { RETRY_AFTER } from '../http/error-response.ts';
import { errorResponse, jsonResponse } from '../http/response.ts';
import { createRouter, type Handler, type Route, type Router } from '../http/router.ts';
import { NO_OPERATION } from '../monitoring/request-log.ts';
import { createPet } from './create-pet.ts';
import { listDocs } from './docs.ts';
import { getPet } from './get-pet.ts';
import { listPets } from './list-pets.ts';

/** On every response below the base path: idempotency keys are honored, and for how long. */
const contractFields = [headers.petstoreIdempotency, `${IDEMPOTENCY_DAYS}d`];

const handlers: Record<OperationName, Pick<Route, 'handle'> & Partial<Route>> = {
  listPets: { handle: listPets },
  createPet: { handle: createPet, readsBody: true },
  getPet: { handle: getPet },
};

/** The process is running. */
const getHealth: Handler = () => jsonResponse(200, '{"status":"ok"}');

/** An add would work, too, and further requests are welcome. */
const getReadiness: Handler = (_request, { readiness, stopping }) => {
  if (stopping.signal.aborted) return isStopping;
  return readiness.obstacle === undefined ? ready : notReady;
};

const ready = jsonResponse(200, '{"status":"ready"}');
const isStopping = errorResponse('unavailable', 'the service is stopping', RETRY_AFTER);
const notReady = errorResponse('unavailable', 'the service cannot add pets now', RETRY_AFTER);

/** Browsers ask for it beside any page. A response without content has no length either (RFC 9110, section 8.6). */
const getIcon: Handler = () => ({
  status: 204,
  fields: ['Cache-Control', 'max-age=86400'],
  body: '',
});

/** The service's port: the contract's operations, and its own paths, which need no key. */
export function createServiceRouter({ docs }: { readonly docs: boolean }): Router {
  const contract = operations.map(({ name, method, path, access }) => ({
    ...unmatchedRoute(BASE_PATH + path, handlers[name].handle),
    ...handlers[name],
    ...{ operation: name, method, access },
  }));
  const pages = docs ? listDocs() : [];
  return createRouter(
    [
      ...contract,
      ...healthRoutes,
      createOwnRoute('docs', '/favicon.ico', getIcon),
      ...pages.map(([path, handle]) => createOwnRoute('docs', path, handle)),
    ],
    unmatchedRoute,
  );
}

/** The metrics port: health as on the service's port. */
export function createMonitoringRouter(getMetrics: Handler): Router {
  const routes = [...healthRoutes, createOwnRoute('metrics', '/metrics', getMetrics)];
  return createRouter(routes, createOpenRoute);
}

const healthRoutes = [
  createOwnRoute('health', '/healthz', getHealth),
  createOwnRoute('health', '/readyz', getReadiness),
];

function createOwnRoute(operation: string, path: string, handle: Handler): Route {
  return { ...createOpenRoute(path, handle), operation, method: 'GET' };
}

/** A route that needs no key, of no operation yet. */
function createOpenRoute(path: string, handle: Handler): Route {
  return {
    operation: NO_OPERATION,
    method: '',
    path,
    handle,
    needsKey: false,
    access: 'read',
    readsBody: false,
    fields: [],
  };
}

/** The route of a path that nothing else takes. Below the base path a key comes first, whatever is there (contract, section 5). */
export function unmatchedRoute(path: string, handle: Handler): Route {
  const route = createOpenRoute(path, handle);
  const isContract = path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
  return isContract ? { ...route, needsKey: true, fields: contractFields } : route;
}
