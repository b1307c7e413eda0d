import { randomUUID } from 'node:crypto';
import { headers } from '../contract/headers.ts';
import { operationPath, pageLimits } from '../contract/operations.ts';
import { encodeNewPet, type NewPet, Pet, type PetStatus, Pets } from '../contract/pet.ts';
import { findLink } from './link-header.ts';
import { type Exchange, readResponse } from './read-response.ts';
import type { RequestLine } from './request-error.ts';
import { requestDefaults } from './retry-rules.ts';
import {
  buildRequest,
  createRequestSender,
  type RequestSpec,
  type SenderOptions,
  type Trace,
} from './send-request.ts';
import type { HttpRequest, TransportOptions } from './transport/transport.ts';
import { createTransport } from './transport/undici-transport.ts';

export interface ClientOptions extends Partial<TransportOptions> {
  /** Ends in `/v1`. */
  baseUrl: string;
  apiKey: string;
  /** Milliseconds per attempt, 30,000 by default. */
  timeout?: number;
  /** Retries per request, 2 by default. */
  retries?: number;
  /** Ends every request. */
  signal?: AbortSignal;
  trace?: Trace;
  /** Whether the service is known to honor idempotency keys, from before this client. */
  recallIdempotency?: () => boolean;
}

/** Which pets to list. `limit` is for one page, 1 to 100. */
export interface PageQuery {
  limit?: number;
  status?: PetStatus;
}

export interface Page {
  pets: Pet[];
  /** The next page: for `listNextPage`. */
  next: URL | undefined;
  /** Whether more pets follow. Unknown for a full page of another implementation, which may not link its pages. */
  more: 'yes' | 'no' | 'unknown';
  /** What was asked for. */
  request: RequestLine;
}

export interface CreatedPet {
  pet: Pet;
  /** The same key and pet were sent before; nothing was added this time. */
  isReplay: boolean;
}

/** Calls a pet store service. Every method throws RequestError. */
export interface PetstoreClient {
  listPets(query?: PageQuery): Promise<Page>;
  listNextPage(next: URL): Promise<Page>;
  /** Adds a pet. An idempotency key is created unless given; the same key and pet never add twice. */
  createPet(pet: NewPet, options?: { idempotencyKey?: string }): Promise<CreatedPet>;
  /** @deprecated The service removes the operation on 5 December 2030. */
  getPet(id: bigint): Promise<Pet>;
  /** Whether the service recognizes a pet that was sent before by its idempotency key. Sends a request if no response has said so yet. */
  honorsIdempotency(): Promise<boolean>;
  /** Frees the connections. */
  close(): Promise<void>;
}

export function createPetstoreClient(options: ClientOptions): PetstoreClient {
  const transport = createTransport({ proxy: options.proxy, dispatcher: options.dispatcher });
  const sender = createRequestSender(transport, completeOptions(options));
  const petsUrl = new URL(options.baseUrl + operationPath('createPet'));
  const readPage = async (url: URL): Promise<Page> => {
    const exchange = await sender.send({ method: 'GET', url });
    return toPage(readResponse(Pets, exchange), exchange, new URL(options.baseUrl));
  };
  const listPets = ({ limit = pageLimits.default, status }: PageQuery = {}) => {
    const url = new URL(`${options.baseUrl}${operationPath('listPets')}?limit=${limit}`);
    if (status !== undefined) url.searchParams.set('status', status);
    return readPage(url);
  };
  return {
    listPets,
    listNextPage: readPage,
    async createPet(pet, { idempotencyKey = randomUUID() } = {}) {
      const exchange = await sender.send(specifyCreatePet(petsUrl, pet, idempotencyKey));
      return {
        pet: readResponse(Pet, exchange),
        isReplay: exchange.response.headers[headers.idempotencyReplayed.toLowerCase()] === 'true',
      };
    },
    async getPet(id) {
      const url = new URL(options.baseUrl + operationPath('getPet', String(id)));
      return readResponse(Pet, await sender.send({ method: 'GET', url }));
    },
    async honorsIdempotency() {
      if (sender.honorsKeys() === undefined) await listPets({ limit: pageLimits.min });
      return sender.honorsKeys() === true;
    },
    close: transport.close,
  };
}

/** The request that would add this pet, for a dry run: complete except for the API key, which need not be found for it. */
export function describeCreatePet(
  baseUrl: string,
  pet: NewPet,
  idempotencyKey: string,
): HttpRequest {
  const spec = specifyCreatePet(new URL(baseUrl + operationPath('createPet')), pet, idempotencyKey);
  return buildRequest(spec, randomUUID(), '[redacted]');
}

function specifyCreatePet(url: URL, pet: NewPet, idempotencyKey: string): RequestSpec {
  return { method: 'POST', url, body: encodeNewPet(pet), idempotencyKey };
}

function completeOptions(options: ClientOptions): SenderOptions {
  return {
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    timeout: options.timeout ?? requestDefaults.timeout,
    retries: options.retries ?? requestDefaults.retries,
    signal: options.signal ?? new AbortController().signal,
    trace: options.trace ?? {},
    recallIdempotency: options.recallIdempotency ?? (() => false),
  };
}

function toPage(pets: Pet[], exchange: Exchange, base: URL): Page {
  const { response, request } = exchange;
  const url = new URL(request.url);
  const next = findLink(response.headers.link, 'next', url);
  if (next !== undefined) {
    return { pets, next: checkNext(next, base, exchange), more: 'yes', request };
  }
  const linksPages = headers.petstoreIdempotency.toLowerCase() in response.headers;
  const isFull = pets.length >= Number(url.searchParams.get('limit') ?? pageLimits.default);
  return { pets, next: undefined, more: isFull && !linksPages ? 'unknown' : 'no', request };
}

/** The key goes nowhere but below its base URL, and a page that links to itself would never end. */
function checkNext(next: URL, base: URL, { request, refuse, quote }: Exchange): URL {
  next.hash = '';
  if (next.origin !== base.origin)
    throw refuse(`a link to a next page at ${quote(next.origin)}, another origin`);
  if (!next.pathname.startsWith(`${base.pathname}/`))
    throw refuse(`a link to a next page at ${quote(next.pathname)}, outside of ${base.pathname}`);
  if (next.href === request.url) throw refuse('a link from a page to itself as the next page');
  return next;
}
