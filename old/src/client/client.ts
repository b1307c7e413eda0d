import { randomUUID } from 'node:crypto';
import { headers } from '../contract/headers.ts';
import { operationPath, pageLimits } from '../contract/operations.ts';
import { encodeNewPet, type NewPet, Pet, type PetStatus } from '../contract/pet.ts';
import { createPageReader } from './pages/read-page.ts';
import { readResponse } from './read-response.ts';
import type { RequestLine } from './request-error.ts';
import { requestDefaults } from './requests/retry-rules.ts';
import {
  type AheadOptions,
  buildRequest,
  createRequestSender,
  type RequestSpec,
  type SenderOptions,
  type Trace,
} from './requests/send-request.ts';
import type { HttpRequest, TransportOptions } from './transport/transport.ts';
import { createTransport } from './transport/undici-transport.ts';
import { waitForWrites } from './write-wait.ts';

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

export interface CreateOptions {
  idempotencyKey?: string;
}

export interface CreatedPet {
  pet: Pet;
  /** The same key and pet were sent before; nothing was added this time. */
  isReplay: boolean;
}

/**
 * Called with the next page as soon as the head of a response links to it, before the pets of this page have arrived.
 * Once more for every attempt, should the response break off.
 */
export type OnNext = (next: URL) => void;

/** Calls a pet store service. Every method throws RequestError. */
export interface PetstoreClient {
  listPets(query?: PageQuery, onNext?: OnNext): Promise<Page>;
  listNextPage(next: URL, onNext?: OnNext, ahead?: AheadOptions): Promise<Page>;
  /** Adds a pet. An idempotency key is created unless given; the same key and pet never add twice. */
  createPet(pet: NewPet, options?: CreateOptions): Promise<CreatedPet>;
  /** @deprecated The service removes the operation on 5 December 2030. */
  getPet(id: bigint): Promise<Pet>;
  /** Whether the service recognizes a pet that was sent before by its idempotency key. Sends a request if no response has said so yet. */
  honorsIdempotency(): Promise<boolean>;
  /** Ends the requests that are still on their way, their retries too, and frees the connections. */
  close(): Promise<void>;
}

export function createPetstoreClient(options: ClientOptions): PetstoreClient {
  const transport = createTransport({ proxy: options.proxy, dispatcher: options.dispatcher });
  const closed = new AbortController();
  const sender = createRequestSender(transport, completeOptions(options, closed.signal));
  const petsUrl = new URL(options.baseUrl + operationPath('createPet'));
  const readPage = createPageReader(sender, new URL(options.baseUrl), waitForWrites);
  const listPets = (
    { limit = pageLimits.default, status }: PageQuery = {},
    onNext?: OnNext,
  ): Promise<Page> => {
    const url = new URL(`${options.baseUrl}${operationPath('listPets')}?limit=${limit}`);
    if (status !== undefined) url.searchParams.set('status', status);
    return readPage(url, onNext);
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
    async close() {
      closed.abort();
      await transport.close();
    },
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

function completeOptions(options: ClientOptions, closed: AbortSignal): SenderOptions {
  return {
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    timeout: options.timeout ?? requestDefaults.timeout,
    retries: options.retries ?? requestDefaults.retries,
    signal: options.signal ? AbortSignal.any([options.signal, closed]) : closed,
    trace: options.trace ?? {},
    recallIdempotency: options.recallIdempotency ?? (() => false),
  };
}
