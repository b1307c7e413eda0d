import { headers, IDEMPOTENCY_DAYS } from '../../contract/headers.ts';
import { BASE_PATH, type OperationName, operations } from '../../contract/operations.ts';
import { RETRY_AFTER } from '../http/error-response.ts';
import { errorResponse, jsonResponse } from '../http/response.ts';
import type { Handler, Route } from '../http/router.ts';
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

/** Every route of the service: the contract's operations, and its own paths, which need no key. */
export function listRoutes({ docs }: { readonly docs: boolean }): Route[] {
  function createRoute(operation: string, path: string, handle: Handler): Route {
    return { ...unmatchedRoute(path, handle), operation, method: 'GET' };
  }
  return [
    ...operations.map(({ name, method, path, access }) => ({
      ...createRoute(name, BASE_PATH + path, handlers[name].handle),
      ...handlers[name],
      method,
      access,
    })),
    createRoute('health', '/healthz', getHealth),
    createRoute('health', '/readyz', getReadiness),
    createRoute('docs', '/favicon.ico', getIcon),
    ...(docs ? listDocs() : []).map(([path, handle]) => createRoute('docs', path, handle)),
  ];
}

/** The route of a path that nothing else takes. Below the base path a key comes first, whatever is there (contract, section 5). */
export function unmatchedRoute(path: string, handle: Handler): Route {
  const isContract = path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
  return {
    operation: NO_OPERATION,
    method: '',
    path,
    handle,
    needsKey: isContract,
    access: 'read',
    readsBody: false,
    fields: isContract ? contractFields : [],
  };
}
