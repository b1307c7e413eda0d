import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { parseInt64 } from '../../contract/int64.ts';
import { GET_PET_DEPRECATED, GET_PET_SUNSET } from '../../contract/operations.ts';
import { createKeptAnswers } from '../kept-answers.ts';
import { sendError, sendJson } from '../send.ts';
import type { Store } from '../store.ts';

const Params = v.object({ petId: v.string() });

/** Bytes of pets that are kept: some 20,000. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** Announces the removal on every answer: RFC 9745, RFC 8594, and RFC 5829 for the successor. */
const farewell = {
  deprecation: `@${GET_PET_DEPRECATED.getTime() / 1000}`,
  sunset: GET_PET_SUNSET.toUTCString(),
  link: '</v1/pets>; rel="successor-version"',
};

/** GET /pets/{petId} (contract, section 4.3), until the clock reaches the instant of its removal. */
export function createGetPet(store: Pick<Store, 'findPet'>, clock: () => Date) {
  const kept = createKeptAnswers(KEPT_BYTES);

  async function answer({ url, params }: FastifyRequest, reply: FastifyReply) {
    const id = parseInt64(v.parse(Params, params).petId);
    const pet = id === undefined ? undefined : await store.findPet(id);
    if (pet === undefined) return sendError(reply, 'not_found', 'there is no pet with this id');
    const body = Buffer.from(pet.json);
    kept.keep(url, { body });
    return sendJson(reply, 200, body);
  }

  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    reply.headers(farewell);
    if (clock() >= GET_PET_SUNSET) return sendError(reply, 'operation_removed', removed);
    const pet = kept.find(request.url);
    return pet === undefined ? answer(request, reply) : sendJson(reply, 200, pet.body);
  };
}

const removed = 'this operation was removed on 5 December 2030: use GET /pets with a status';
