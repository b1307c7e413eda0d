// The library's entry. Its published types are written by hand in types/index.d.ts and held to this file by a test.
export { createCheckedClient as createPetstoreClient, petToJson } from './client/checked-client.ts';
export { RequestError } from './client/request-error.ts';
