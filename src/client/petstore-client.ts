import type * as v from 'valibot';
import { headerNames, type KeyInfo, parseKeyInfo } from '../contract/headers.ts';
import { type ListPetsQuery, operations, pageLimits } from '../contract/operations.ts';
import { encodeNewPet, type NewPet, Pet, Pets } from '../contract/pet.ts';
import { explainUnexpected, RequestError } from './failure.ts';
import { findLinkProblem, findNextLink } from './link.ts';
import type { ClientOptions } from './request.ts';
import { readBody, readDate, readHeader, readServerDate } from './response.ts';
import { createSender, type Exchange } from './send.ts';

export type PageQuery = Partial<Omit<ListPetsQuery, 'cursor'>>;

export interface Page {
  readonly pets: readonly Pet[];
  /** Whether more pets follow; `unknown` for a full page of a service that does not link its pages. */
  readonly more: 'yes' | 'no' | 'unknown';
}

export interface CreatedPet {
  readonly pet: Pet;
  /** The same key and pet were sent before this call; nothing was added by it. */
  readonly isReplayed: boolean;
  /** Until when the service knows the idempotency key, where it says so. */
  readonly keyUntil: Date | undefined;
}

export interface Idempotency {
  readonly now: Date;
  /** Until when a key that is sent now will be known; undefined where keys are not honored. */
  readonly keysUntil: Date | undefined;
}

export interface Probe {
  /** 200, or 401 or 403 with an Error body. */
  readonly status: number;
  readonly keyInfo: KeyInfo | undefined;
  readonly ms: number;
  readonly serverDate: Date | undefined;
  readonly refusal: string | undefined;
}

/** Calls a pet store service. Every method throws RequestError. */
export interface PetstoreClient {
  /** All pages in order. A next link that was followed before, or three empty pages in a row, is an error. */
  eachPage(query: PageQuery): AsyncGenerator<Page, void>;
  /** The same idempotency key and pet never add twice where the service honors keys. */
  createPet(pet: NewPet, idempotencyKey: string): Promise<CreatedPet>;
  getPet(id: bigint): Promise<Pet>;
  /** Asks whether and how long the service honors idempotency keys: by a GET, as the contract has no HEAD. */
  askIdempotency(): Promise<Idempotency>;
  /** One attempt to read one pet. 401 and 403 with an Error body are results; every other failure throws. */
  probe(): Promise<Probe>;
  hasWritten(): boolean;
  close(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A filter may leave a page without pets, so one such page says nothing. */
const MAX_EMPTY_PAGES = 3;

export function createPetstoreClient(options: ClientOptions): PetstoreClient {
  const { baseUrl } = options;
  const petsPath = baseUrl.pathname + operations.listPets.path;
  const petsUrl = new URL(petsPath, baseUrl);
  const onePetUrl = toListUrl(petsUrl, { limit: pageLimits.min });
  const sender = createSender(options, { method: 'GET', url: onePetUrl });

  return {
    async *eachPage(query) {
      const followed = new Set<string>();
      let emptyPages = 0;
      let url: URL | undefined = toListUrl(petsUrl, query);
      while (url !== undefined) {
        const exchange = await sender.send({ method: 'GET', url });
        const pets = parseBody(Pets, exchange);
        const next = readNext(exchange, baseUrl);
        // Our own service links every page but the last, which is told by its header.
        const linksPages = followed.size > 0 || exchange.honorsKeys === true;
        followed.add(url.href);
        emptyPages = pets.length === 0 ? emptyPages + 1 : 0;
        if (next !== undefined && followed.has(next.href)) {
          const problem = `a link to a next page that was read before, ${next.href}`;
          throw explainMismatch(exchange, problem);
        }
        if (next !== undefined && emptyPages === MAX_EMPTY_PAGES) {
          const problem = `${MAX_EMPTY_PAGES} empty pages in a row and a link to one more`;
          throw explainMismatch(exchange, problem);
        }
        const isFull = pets.length >= (query.limit ?? pageLimits.default);
        const more = next !== undefined ? 'yes' : isFull && !linksPages ? 'unknown' : 'no';
        yield { pets, more };
        url = next;
      }
    },
    async createPet(pet, idempotencyKey) {
      const body = encodeNewPet(pet);
      const exchange = await sender.send({ method: 'POST', url: petsUrl, body, idempotencyKey });
      const { headers } = exchange.response;
      const replayed = readHeader(headers, headerNames.idempotencyReplayed);
      return {
        pet: parseBody(Pet, exchange),
        isReplayed: replayed === 'true' && !exchange.mayRepeat,
        keyUntil: readDate(readHeader(headers, headerNames.idempotencyExpires)),
      };
    },
    async getPet(id) {
      const url = new URL(`${petsPath}/${id}`, baseUrl);
      return parseBody(Pet, await sender.send({ method: 'GET', url }));
    },
    async askIdempotency() {
      const { headers } = (await sender.send({ method: 'GET', url: onePetUrl })).response;
      const now = readServerDate(headers) ?? new Date();
      const told = readHeader(headers, headerNames.petstoreIdempotency);
      const [, days] = /^(\d{1,4})d$/.exec(told) ?? [];
      const keysUntil = days && new Date(now.getTime() + Number(days) * DAY_MS);
      return { now, keysUntil: keysUntil || undefined };
    },
    async probe() {
      const startedAt = performance.now();
      const sent = sender.sendOnce({ method: 'GET', url: onePetUrl });
      const result = await sent.catch(requireRefusedKey);
      const ms = performance.now() - startedAt;
      if (result instanceof RequestError) {
        const { status = 401, message, serverDate } = result;
        return { status, keyInfo: undefined, ms, serverDate, refusal: message };
      }
      parseBody(Pets, result);
      const { status, headers } = result.response;
      const keyInfo = parseKeyInfo(readHeader(headers, headerNames.petstoreKey));
      return { status, keyInfo, ms, serverDate: readServerDate(headers), refusal: undefined };
    },
    hasWritten: sender.hasWritten,
    close: sender.close,
  };
}

function toListUrl(petsUrl: URL, query: PageQuery): URL {
  const url = new URL(petsUrl);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function parseBody<Schema extends v.GenericSchema>(
  schema: Schema,
  exchange: Exchange,
): v.InferOutput<Schema> {
  const body = readBody(schema, exchange.response);
  if ('problem' in body) throw explainMismatch(exchange, body.problem);
  return body.value;
}

function explainMismatch(exchange: Exchange, problem: string): RequestError {
  const { request, response, honorsKeys } = exchange;
  return explainUnexpected(request, response.status, problem).amend({ honorsKeys });
}

function readNext(exchange: Exchange, baseUrl: URL): URL | undefined {
  const link = findNextLink(exchange.response.headers.link, exchange.request.url);
  if (link === 'unreadable') throw explainMismatch(exchange, 'a Link header that cannot be read');
  const problem = link && findLinkProblem(link, baseUrl);
  if (problem !== undefined) throw explainMismatch(exchange, `a link to ${problem}`);
  return link;
}

function requireRefusedKey(error: unknown): RequestError {
  const isRefused =
    error instanceof RequestError &&
    (error.status === 401 || error.status === 403) &&
    error.code !== 'cli_unexpected_response';
  if (isRefused) return error;
  throw error;
}
