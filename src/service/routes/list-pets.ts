import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { describeIssues } from '../../contract/describe-issues.ts';
import { ListPetsQuery } from '../../contract/operations.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { sendError, sendJson } from '../send.ts';
import type { Store } from '../store.ts';

/** GET /pets (contract, section 4.1). Further pages by a link relative to the request (RFC 8288), which survives a path prefix. */
export function createListPets(store: Pick<Store, 'listPets'>) {
  return async ({ query }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const parsed = v.safeParse(ListPetsQuery, query);
    if (!parsed.success) return sendError(reply, 'invalid_request', describeIssues(parsed.issues));
    const { limit, status, cursor } = parsed.output;
    const after = cursor === undefined ? 0n : decodeCursor(cursor);
    if (after === undefined)
      return sendError(reply, 'invalid_request', 'cursor: must be a cursor from a Link header');

    // One more than asked for tells whether there is a next page.
    const pets = await store.listPets({ after, limit: limit + 1, status });
    const page = pets.slice(0, limit);
    const last = page.at(-1);
    if (pets.length > limit && last !== undefined) {
      const filter = status === undefined ? '' : `&status=${status}`;
      const next = `?limit=${limit}${filter}&cursor=${encodeCursor(last.id)}`;
      reply.header('link', `<${next}>; rel="next"`);
    }
    return sendJson(reply, 200, `[${page.map((pet) => pet.json).join(',')}]`);
  };
}
