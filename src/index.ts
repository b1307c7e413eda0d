export {
  type ClientOptions,
  type CreatedPet,
  createPetstoreClient,
  type Page,
  type PageQuery,
  type PetstoreClient,
} from './client/client.ts';
export { type Failure, RequestError, type RequestLine } from './client/request-error.ts';
export type { NewPet, Pet, PetField, PetStatus, Pets } from './contract/pet.ts';
export type { ErrorCode, ServiceError } from './contract/service-error.ts';
