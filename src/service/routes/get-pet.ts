import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseInt64 } from '../../contract/int64.ts';
import { GET_PET_DEPRECATED, GET_PET_SUNSET, NoQuery } from '../../contract/operations.ts';
import { ServiceError } from '../service-error.ts';
import type { Store } from '../storage/store.ts';
import { parseQuery } from './parse-query.ts';
import { sendJson } from './send-json.ts';

/** Announces the removal: RFC 9745, RFC 8594, and RFC 5829 for the successor. */
const deprecation = {
  Deprecation: `@${GET_PET_DEPRECATED.getTime() / 1000}`,
  Sunset: GET_PET_SUNSET.toUTCString(),
  Link: '</v1/pets>; rel="successor-version"',
};

const notFound = new ServiceError('not_found', 'there is no pet with this id');
const removed = new ServiceError(
  'operation_removed',
  'this operation was removed on 5 December 2030: use GET /pets with a status',
);

/** GET /pets/{petId} (section 4.3), until `clock` reaches the instant of its removal. */
export function createGetPet(store: Pick<Store, 'findPet'>, clock: () => Date) {
  return async (
    { params, query }: FastifyRequest<{ Params: { petId: string } }>,
    response: FastifyReply,
  ) => {
    if (params.petId === '') return response.callNotFound();
    response.headers(deprecation);
    if (clock() >= GET_PET_SUNSET) throw removed;
    parseQuery(NoQuery, query);
    const id = parseInt64(params.petId);
    // A pet has one URL: 01 is not how an id is written.
    const pet =
      String(id) === params.petId && id !== undefined ? await store.findPet(id) : undefined;
    if (pet === undefined) throw notFound;
    return sendJson(response, pet);
  };
}
