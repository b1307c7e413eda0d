import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { parseInt64 } from '../../contract/int64.ts';
import { GET_PET_DEPRECATED, GET_PET_SUNSET } from '../../contract/operations.ts';
import { sendError, sendJson } from '../send.ts';
import type { Store } from '../store.ts';

const Params = v.object({ petId: v.string() });

/** Announces the removal on every answer: RFC 9745, RFC 8594, and the successor of RFC 5829. */
const farewell = {
  deprecation: `@${GET_PET_DEPRECATED.getTime() / 1000}`,
  sunset: GET_PET_SUNSET.toUTCString(),
  link: '</v1/pets>; rel="successor-version"',
};

/** GET /pets/{petId} (contract, section 4.3), until the clock reaches the instant of its removal. */
export function createGetPet(store: Pick<Store, 'findPet'>, clock: () => Date) {
  return async ({ params }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.headers(farewell);
    if (clock() >= GET_PET_SUNSET)
      return sendError(
        reply,
        'operation_removed',
        'this operation was removed on 5 December 2030: use GET /pets with a status',
      );
    const { petId } = v.parse(Params, params);
    const id = parseInt64(petId);
    const pet = id === undefined ? undefined : await store.findPet(id);
    if (pet === undefined) return sendError(reply, 'not_found', 'there is no pet with this id');
    return sendJson(reply, 200, pet.json);
  };
}
