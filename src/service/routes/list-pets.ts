import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Int64 } from '../../contract/int64.ts';
import { ListPetsQuery } from '../../contract/operations.ts';
import { createPageCache, isFixed } from '../plugins/page-cache.ts';
import type { PageQuery, Store } from '../storage/store.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { parseQuery } from './parse-query.ts';
import { sendJson } from './send-json.ts';

/** GET /pets (section 4.1). */
export function createListPets(store: Pick<Store, 'listPets'>) {
  const cache = createPageCache();
  return async ({ url, query }: FastifyRequest, response: FastifyReply) => {
    const cached = cache.get(url);
    if (cached !== undefined) return sendJson(response.header('Link', cached.link), cached.json);
    const pageQuery = parsePageQuery(query);
    const { json, next } = await store.listPets(pageQuery);
    if (next === undefined) return sendJson(response, json);
    const link = formatNextLink(pageQuery, next);
    if (isFixed(pageQuery)) cache.set(url, { json, link });
    return sendJson(response.header('Link', link), json);
  };
}

function parsePageQuery(query: unknown): PageQuery {
  const { cursor, ...rest } = parseQuery(ListPetsQuery, query);
  return cursor === undefined ? rest : { ...rest, after: decodeCursor(cursor) };
}

/** Relative to the request (RFC 8288), so that it survives a path prefix in front of the service. */
function formatNextLink({ limit, status, order }: PageQuery, next: Int64): string {
  const parameters = [
    `limit=${limit}`,
    ...(status === undefined ? [] : [`status=${status}`]),
    ...(order === 'asc' ? [] : [`order=${order}`]),
    `cursor=${encodeCursor(next)}`,
  ];
  return `<?${parameters.join('&')}>; rel="next"`;
}
