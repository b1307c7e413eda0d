import { parse as parseQuery } from 'node:querystring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { describeIssues } from '../../contract/describe-issues.ts';
import type { Int64 } from '../../contract/int64.ts';
import { ListPetsQuery } from '../../contract/operations.ts';
import { type KeptAnswer, type KeptAnswers, makeAnswer } from '../http/response-cache.ts';
import { sendAnswer, sendError } from '../http/responses.ts';
import type { Store, StoredPage } from '../storage/store.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

/** Reads the page that a URL asks for, or says what is wrong with the URL. */
export type ReadPage = (url: string) => Promise<KeptAnswer> | string;

export function createReadPage(store: Pick<Store, 'listPets'>, kept: KeptAnswers): ReadPage {
  async function read(url: string, after: Int64, query: ListPetsQuery): Promise<KeptAnswer> {
    const page = await store.listPets({ after, limit: query.limit, status: query.status });
    const answer = makeAnswer(page.json, linkNext(page, query));
    if (page.next !== undefined) kept.keep(url, answer);
    return answer;
  }

  return (url) => {
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
    const parsed = v.safeParse(ListPetsQuery, parseQuery(query, '&', '=', { maxKeys: 0 }));
    if (!parsed.success) return describeIssues(parsed.issues);
    const { cursor } = parsed.output;
    const after = cursor === undefined ? 0n : decodeCursor(cursor);
    if (after === undefined) return 'cursor: must be a cursor from a Link header';
    return read(url, after, parsed.output);
  };
}

/** GET /pets (contract, section 4.1). */
export function createListPets(readPage: ReadPage) {
  return async ({ url }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const reading = readPage(url);
    if (typeof reading === 'string') return sendError(reply, 'invalid_request', reading);
    return sendAnswer(reply, await reading);
  };
}

/** The link is relative to the request (RFC 8288), which survives a path prefix in front of the service. */
function linkNext({ next }: StoredPage, { limit, status }: ListPetsQuery): KeptAnswer['own'] {
  if (next === undefined) return [];
  const filter = status === undefined ? '' : `&status=${status}`;
  return ['link', `<?limit=${limit}${filter}&cursor=${encodeCursor(next)}>; rel="next"`];
}
