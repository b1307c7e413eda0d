import { parse as parseQuery } from 'node:querystring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { describeIssues } from '../../contract/describe-issues.ts';
import { ListPetsQuery } from '../../contract/operations.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { KeptAnswer, KeptAnswers } from '../kept-answers.ts';
import { sendError, sendJson } from '../send.ts';
import type { Store, StoredPage } from '../store.ts';

/** GET /pets (contract, section 4.1). */
export function createListPets(store: Pick<Store, 'listPets'>, kept: KeptAnswers) {
  return async ({ url }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
    const parsed = v.safeParse(ListPetsQuery, parseQuery(query, '&', '=', { maxKeys: 0 }));
    if (!parsed.success) return sendError(reply, 'invalid_request', describeIssues(parsed.issues));
    const { cursor, limit, status } = parsed.output;
    const after = cursor === undefined ? 0n : decodeCursor(cursor);
    if (after === undefined)
      return sendError(reply, 'invalid_request', 'cursor: must be a cursor from a Link header');
    const page = await store.listPets({ after, limit, status });
    const answer = { body: Buffer.from(page.json), headers: linkNext(page, parsed.output) };
    if (page.next !== undefined) kept.keep(url, answer);
    return sendJson(reply.headers(answer.headers), 200, answer.body);
  };
}

/** The link is relative to the request (RFC 8288), which survives a path prefix in front of the service. */
function linkNext({ next }: StoredPage, { limit, status }: ListPetsQuery): KeptAnswer['headers'] {
  if (next === undefined) return {};
  const filter = status === undefined ? '' : `&status=${status}`;
  return { link: `<?limit=${limit}${filter}&cursor=${encodeCursor(next)}>; rel="next"` };
}
