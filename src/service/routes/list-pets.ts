import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Int64, parseInt64 } from '../../contract/int64.ts';
import { ListPetsQuery } from '../../contract/operations.ts';
import { ServiceError } from '../service-error.ts';
import type { PageQuery, Store } from '../storage/store.ts';
import { parseQuery } from './parse-query.ts';
import type { ReadQueue } from './read-queue.ts';
import { sendJson } from './send-json.ts';

/** GET /pets (section 4.1). */
export function createListPets(store: Pick<Store, 'listPets' | 'countLosses'>, queue: ReadQueue) {
  const cache = createPageCache();
  let losses = 0;
  return async (request: FastifyRequest, response: FastifyReply) => {
    const { url, query } = request;
    const before = store.countLosses();
    // A replica that was promoted may lack the last pets, and gives their ids again.
    if (before !== losses) cache.clear();
    losses = before;
    const cached = cache.get(url);
    if (cached !== undefined) return sendJson(response.header('Link', cached.link), cached.json);
    const pageQuery = parsePageQuery(query);
    const { json, next } = await queue(request, () => store.listPets(pageQuery));
    if (next === undefined) return sendJson(response, json);
    const link = formatNextLink(pageQuery, next);
    if (isFixed(pageQuery) && store.countLosses() === before) cache.set(url, { json, link });
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

/** A page as it is sent. */
export interface CachedPage {
  readonly json: string;
  /** The `Link` field of the next page. */
  readonly link: string;
}

/** Memory for cached pages, in bytes, about. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** What a page takes besides its text. */
const ENTRY_BYTES = 500;

/** Pages with a next link, by URL. */
function createPageCache(): LRUCache<string, CachedPage> {
  return new LRUCache({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ json }, url) => json.length + url.length + ENTRY_BYTES,
  });
}

/**
 * Whether a page that has a next link stays as it is for ever: pets are neither changed nor removed and ids become
 * visible in their order, so pets appear before the newest page only.
 */
function isFixed({ order, after }: PageQuery): boolean {
  return order === 'asc' || after !== undefined;
}

/** Writes the id after which a page starts so that no client is tempted to compute one. */
function encodeCursor(after: Int64): string {
  return Buffer.from(`after ${after}`).toString('base64url');
}

/** Reads what `encodeCursor` wrote. @throws ServiceError for anything else, also for another spelling of it. */
function decodeCursor(cursor: string): Int64 {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const after = parseInt64(/^after (\d+)$/.exec(text)?.[1] ?? '');
  if (after === undefined || encodeCursor(after) !== cursor)
    throw new ServiceError('invalid_request', 'cursor: must be a cursor from a Link header');
  return after;
}
