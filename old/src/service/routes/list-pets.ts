import { ListPetsQuery } from '../../contract/operations.ts';
import type { ServiceContext } from '../context.ts';
import { errorResponse, jsonResponse, type ServiceResponse } from '../http/response.ts';
import type { Handler } from '../http/router.ts';
import type { PageQuery, StoredPage } from '../storage/store.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { parseQuery } from './parse-query.ts';

/** GET /pets (contract, section 4.1). */
export const listPets: Handler = ({ url }, services) => {
  const cached = services.cache.pages.find(url);
  if (cached !== undefined) return cached;
  const query = parseQuery(ListPetsQuery, url);
  if (typeof query === 'string') return errorResponse('invalid_request', query);
  const { cursor, limit, status } = query;
  const after = cursor === undefined ? 0n : decodeCursor(cursor);
  if (after === undefined)
    return errorResponse('invalid_request', 'cursor: must be a cursor from a Link header');
  return readPage(url, { after, limit, status }, services);
};

function readPage(
  url: string,
  query: PageQuery,
  { store, cache }: ServiceContext,
): ServiceResponse | Promise<ServiceResponse> {
  function toResponse(page: StoredPage): ServiceResponse {
    const response = jsonResponse(200, page.json, linkNext(page, query));
    if (page.next !== undefined) cache.pages.store(url, response);
    return response;
  }
  const page = store.listPets(query);
  return page instanceof Promise ? page.then(toResponse) : toResponse(page);
}

/** The link is relative to the request (RFC 8288), which survives a path prefix in front of the service. */
function linkNext({ next }: StoredPage, { limit, status }: PageQuery): string[] {
  if (next === undefined) return [];
  const filter = status === undefined ? '' : `&status=${status}`;
  return ['Link', `<?limit=${limit}${filter}&cursor=${encodeCursor(next)}>; rel="next"`];
}
