import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { parseInt64 } from '../../contract/int64.ts';
import { GET_PET_DEPRECATED, GET_PET_SUNSET } from '../../contract/operations.ts';
import { type KeptAnswer, type KeptAnswers, makeAnswer } from '../http/response-cache.ts';
import { addHeaders, sendError, sendJson } from '../http/responses.ts';
import type { Store } from '../storage/store.ts';

const Params = v.object({ petId: v.string() });

/** Announces the removal on every answer: RFC 9745, RFC 8594, and RFC 5829 for the successor. */
const deprecationHeaders = [
  ...['deprecation', `@${GET_PET_DEPRECATED.getTime() / 1000}`],
  ...['sunset', GET_PET_SUNSET.toUTCString()],
  ...['link', '</v1/pets>; rel="successor-version"'],
];

/** Reads the pet that a path names, of which a URL asked; undefined when there is none. */
export type ReadPet = (url: string, petId: string) => Promise<KeptAnswer | undefined>;

export function createReadPet(store: Pick<Store, 'findPet'>, kept: KeptAnswers): ReadPet {
  return async (url, petId) => {
    const id = parseInt64(petId);
    const pet = id === undefined ? undefined : await store.findPet(id);
    if (pet === undefined) return undefined;
    const answer = makeAnswer(pet.json, deprecationHeaders);
    kept.keep(url, answer);
    return answer;
  };
}

/** GET /pets/{petId} (contract, section 4.3), until the clock reaches the instant of its removal. */
export function createGetPet(readPet: ReadPet, clock: () => Date) {
  return async ({ url, params }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    addHeaders(reply, deprecationHeaders);
    if (clock() >= GET_PET_SUNSET) return sendError(reply, 'operation_removed', removed);
    const pet = await readPet(url, v.parse(Params, params).petId);
    if (pet === undefined) return sendError(reply, 'not_found', 'there is no pet with this id');
    return sendJson(reply, 200, pet.body);
  };
}

const removed = 'this operation was removed on 5 December 2030: use GET /pets with a status';
