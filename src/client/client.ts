import { randomUUID } from 'node:crypto';
import { headers } from '../contract/headers.ts';
import { operationPath, pageLimits } from '../contract/operations.ts';
import { encodeNewPet, type NewPet, Pet, type PetStatus, Pets } from '../contract/pet.ts';
import { version } from '../version.ts';
import { buildRequest, createExchange, type ExchangeOptions, type Question } from './exchange.ts';
import { findLink } from './link.ts';
import { readReply } from './read-reply.ts';
import { RequestError, type RequestLine } from './request-error.ts';
import type { Trace } from './trace.ts';
import { createTransport, type TransportOptions } from './transport/transport.ts';
import type { WireReply, WireRequest } from './transport/wire.ts';

const userAgent = `petstore-cli/${version}`;

export interface ClientOptions extends Partial<TransportOptions> {
  /** Ends in `/v1`. */
  baseUrl: string;
  apiKey: string;
  /** Milliseconds for one attempt, 30,000 by default. */
  timeout?: number;
  /** Attempts after the first, 2 by default. */
  retries?: number;
  /** Ends every request. */
  signal?: AbortSignal;
  trace?: Trace;
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
  /** Adds a pet. An idempotency key is made up unless given; the same key and pet never add twice. */
  createPet(pet: NewPet, options?: { idempotencyKey?: string }): Promise<CreatedPet>;
  /** @deprecated The service removes the operation on 5 December 2030. */
  getPet(id: bigint): Promise<Pet>;
  /** Whether the service recognises a pet it was sent before by its idempotency key. Asks, when no reply has told yet. */
  honoursIdempotency(): Promise<boolean>;
  /** Frees the connections. */
  close(): Promise<void>;
}

export function createPetstoreClient(options: ClientOptions): PetstoreClient {
  const transport = createTransport({ proxy: options.proxy, dispatcher: options.dispatcher });
  const exchange = createExchange(transport, completeOptions(options));
  const petsUrl = new URL(options.baseUrl + operationPath('createPet'));
  const readPage = async (url: URL): Promise<Page> => {
    const { reply, request } = await exchange.ask({ method: 'GET', url });
    return toPage(readReply(Pets, reply, request), reply, request);
  };
  return {
    listPets: ({ limit = pageLimits.default, status } = {}) => {
      const url = new URL(`${options.baseUrl}${operationPath('listPets')}?limit=${limit}`);
      if (status !== undefined) url.searchParams.set('status', status);
      return readPage(url);
    },
    listNextPage: readPage,
    async createPet(pet, { idempotencyKey = randomUUID() } = {}) {
      const { reply, request } = await exchange.ask(askToCreate(petsUrl, pet, idempotencyKey));
      return {
        pet: readReply(Pet, reply, request, idempotencyKey),
        isReplay: reply.headers[headers.idempotencyReplayed.toLowerCase()] === 'true',
      };
    },
    async getPet(id) {
      const { reply, request } = await exchange.ask({
        method: 'GET',
        url: new URL(options.baseUrl + operationPath('getPet', String(id))),
      });
      return readReply(Pet, reply, request);
    },
    async honoursIdempotency() {
      if (exchange.honoursKeys() === undefined)
        await readPage(
          new URL(`${options.baseUrl}${operationPath('listPets')}?limit=${pageLimits.min}`),
        );
      return exchange.honoursKeys() === true;
    },
    close: transport.close,
  };
}

/** The request that would add this pet, for a dry run: whole but for the key, which nobody needs to look up for it. */
export function describeCreatePet(
  baseUrl: string,
  pet: NewPet,
  idempotencyKey: string,
): WireRequest {
  const question = askToCreate(new URL(baseUrl + operationPath('createPet')), pet, idempotencyKey);
  return buildRequest(question, randomUUID(), { apiKey: '[redacted]', userAgent });
}

function askToCreate(url: URL, pet: NewPet, idempotencyKey: string): Question {
  return { method: 'POST', url, body: encodeNewPet(pet), idempotencyKey };
}

function completeOptions(options: ClientOptions): ExchangeOptions {
  return {
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    userAgent,
    timeout: options.timeout ?? 30_000,
    retries: options.retries ?? 2,
    signal: options.signal ?? new AbortController().signal,
    trace: options.trace ?? {},
  };
}

function toPage(pets: Pet[], reply: WireReply, request: RequestLine): Page {
  const url = new URL(request.url);
  const next = findLink(reply.headers.link, 'next', url);
  if (next !== undefined) return { pets, next: checkNext(next, url, reply, request), more: 'yes' };
  const linksItsPages = headers.petstoreIdempotency.toLowerCase() in reply.headers;
  const isFull = pets.length >= Number(url.searchParams.get('limit') ?? pageLimits.default);
  return { pets, next: undefined, more: isFull && !linksItsPages ? 'unknown' : 'no' };
}

/** The key goes nowhere but to its own origin, and a page that links to itself would never end. */
function checkNext(next: URL, url: URL, reply: WireReply, request: RequestLine): URL {
  const refuse = (reason: string) =>
    new RequestError(
      request,
      { kind: 'malformed', status: reply.status, reason },
      'not_applied',
      {},
    );
  if (next.origin !== url.origin) throw refuse(`its next page lies elsewhere, at ${next.origin}`);
  if (next.href === url.href) throw refuse('a page that names itself as the next one');
  return next;
}
