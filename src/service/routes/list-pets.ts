import { parse as parseQuery } from 'node:querystring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { describeIssues } from '../../contract/describe-issues.ts';
import { ListPetsQuery } from '../../contract/operations.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { createKeptAnswers, type KeptAnswer } from '../kept-answers.ts';
import { sendError, sendJson } from '../send.ts';
import type { Store, StoredPet } from '../store.ts';

/** Bytes of pages that are kept: some 20,000 pages of 20. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** GET /pets (contract, section 4.1). */
export function createListPets(store: Pick<Store, 'listPets'>) {
  const kept = createKeptAnswers(KEPT_BYTES);

  async function answer(url: string, reply: FastifyReply): Promise<FastifyReply> {
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
    const parsed = v.safeParse(ListPetsQuery, parseQuery(query, '&', '=', { maxKeys: 0 }));
    if (!parsed.success) return sendError(reply, 'invalid_request', describeIssues(parsed.issues));
    const { cursor, limit, status } = parsed.output;
    const after = cursor === undefined ? 0n : decodeCursor(cursor);
    if (after === undefined)
      return sendError(reply, 'invalid_request', 'cursor: must be a cursor from a Link header');
    // One more than asked for tells whether there is a next page.
    const page = buildPage(
      await store.listPets({ after, limit: limit + 1, status }),
      parsed.output,
    );
    if (page.link !== undefined) kept.keep(url, page);
    return sendPage(reply, page);
  }

  return ({ url }: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const page = kept.find(url);
    return page === undefined ? answer(url, reply) : sendPage(reply, page);
  };
}

/** The link is relative to the request (RFC 8288), which survives a path prefix in front of the service. */
function buildPage(pets: readonly StoredPet[], { limit, status }: ListPetsQuery): KeptAnswer {
  const page = pets.slice(0, limit);
  const body = Buffer.from(`[${page.map((pet) => pet.json).join(',')}]`);
  const last = page.at(-1);
  if (pets.length <= limit || last === undefined) return { body };
  const filter = status === undefined ? '' : `&status=${status}`;
  return { body, link: `<?limit=${limit}${filter}&cursor=${encodeCursor(last.id)}>; rel="next"` };
}

function sendPage(reply: FastifyReply, { body, link }: KeptAnswer): FastifyReply {
  if (link !== undefined) reply.header('link', link);
  return sendJson(reply, 200, body);
}
