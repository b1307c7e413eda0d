import { type Int64, parseInt64 } from '../../contract/int64.ts';
import { GET_PET_DEPRECATED, GET_PET_SUNSET } from '../../contract/operations.ts';
import type { ServiceContext } from '../context.ts';
import { errorResponse, jsonResponse, type ServiceResponse } from '../http/response.ts';
import type { Handler } from '../http/router.ts';
import type { StoredPet } from '../storage/store.ts';
import { refuseQuery } from './parse-query.ts';

/** Announce the removal: RFC 9745, RFC 8594, and RFC 5829 for the successor. */
const deprecationFields = [
  ...['Deprecation', `@${GET_PET_DEPRECATED.getTime() / 1000}`],
  ...['Sunset', GET_PET_SUNSET.toUTCString()],
  ...['Link', '</v1/pets>; rel="successor-version"'],
];

const SUNSET_MS = GET_PET_SUNSET.getTime();

/** GET /pets/{petId} (contract, section 4.3), until the clock reaches the instant of its removal. */
export const getPet: Handler = ({ url, parameter }, services) => {
  if (services.getPetClock().getTime() >= SUNSET_MS) return removed;
  const cached = services.cache.pets.find(url);
  if (cached !== undefined) return cached;
  const problem = refuseQuery(url);
  if (problem !== undefined) return errorResponse('invalid_request', problem, deprecationFields);
  const id = parseInt64(parameter);
  // A pet has one URL: 01 is not how an id is written.
  return id === undefined || String(id) !== parameter ? notFound : findPet(url, id, services);
};

function findPet(
  url: string,
  id: Int64,
  { store, cache }: ServiceContext,
): ServiceResponse | Promise<ServiceResponse> {
  function toResponse(pet: StoredPet | undefined): ServiceResponse {
    if (pet === undefined) return notFound;
    const response = jsonResponse(200, pet.json, deprecationFields);
    cache.pets.store(url, response);
    return response;
  }
  const pet = store.findPet(id);
  return pet instanceof Promise ? pet.then(toResponse) : toResponse(pet);
}

const notFound = errorResponse('not_found', 'there is no pet with this id', deprecationFields);
const removed = errorResponse(
  'operation_removed',
  'this operation was removed on 5 December 2030: use GET /pets with a status',
  deprecationFields,
);
