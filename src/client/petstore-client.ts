import type * as v from 'valibot';
import { type KeyInfo, headers as names, parseKeyInfo } from '../contract/headers.ts';
import { type ListPetsQuery, operations, pageLimits } from '../contract/operations.ts';
import { encodeNewPet, type NewPet, Pet, Pets } from '../contract/pet.ts';
import { explainStatus, type RequestError } from './failure.ts';
import { findLinkProblem, findNextLink } from './link.ts';
import { buildRequest, type ClientOptions } from './request.ts';
import { readBody } from './response.ts';
import { createExchanger, createSend, type Exchange, type Exchanger, isSuccess } from './send.ts';

export type { ClientOptions, RequestEvent } from './request.ts';

/** The query of the first page; a page links to the next one. */
export type PageQuery = Partial<Omit<ListPetsQuery, 'cursor'>>;

export interface Page {
  readonly pets: readonly Pet[];
  /** The next page, for `listPets`. */
  readonly next: URL | undefined;
  /** Whether more pets follow; `unknown` for a full page of a service that does not link its pages. */
  readonly more: 'yes' | 'no' | 'unknown';
}

export interface CreatedPet {
  readonly pet: Pet;
  /** The same key and pet were sent before this call; nothing was added by it. */
  readonly isReplayed: boolean;
}

/** What one request says of the address and the key. */
export interface Probe {
  /** 200, or 401 or 403 with an Error body. */
  readonly status: number;
  /** Undefined when the service does not say it. */
  readonly keyInfo: KeyInfo | undefined;
  /** How long the response took. */
  readonly ms: number;
  /** The `Date` of the response. */
  readonly serverDate: Date | undefined;
}

/** Calls a pet store service. Every method throws RequestError. */
export interface PetstoreClient {
  /** One page: the first of a query, or the one that a page named as next. */
  listPets(query: PageQuery, next?: URL): Promise<Page>;
  /** All pages in order. A next link that was followed before, or three empty pages in a row, is an error. */
  eachPage(query: PageQuery): AsyncGenerator<Page, void>;
  /** The same idempotency key and pet never add twice where the service honors keys. */
  createPet(pet: NewPet, idempotencyKey: string): Promise<CreatedPet>;
  /** The service removes the operation on 5 December 2030. */
  getPet(id: bigint): Promise<Pet>;
  /** Whether the service honors idempotency keys: from a response of this run, else by one HEAD. */
  honorsKeys(): Promise<boolean>;
  /** One attempt to read one pet. 401 and 403 with an Error body are results; every other failure throws. */
  probe(): Promise<Probe>;
  /** Ends what is still in flight and frees the connections. */
  close(): Promise<void>;
}

/** A filter may leave a page without pets, so one such page says nothing. */
const MAX_EMPTY_PAGES = 3;

/** Connects when the first request is sent. */
export function createPetstoreClient(options: ClientOptions): PetstoreClient {
  const { baseUrl, apiKey } = options;
  const petsPath = baseUrl.pathname + operations.listPets.path;
  const petsUrl = new URL(petsPath, baseUrl);
  const onePetUrl = toListUrl(petsUrl, { limit: pageLimits.min });
  const exchanger = createExchanger(options);
  const send = createSend(exchanger, options, { method: 'HEAD', url: onePetUrl });

  const parse = <Schema extends v.GenericSchema>(schema: Schema, exchange: Exchange) => {
    const body = readBody(schema, exchange.response);
    if ('problem' in body) throw exchanger.refuse(exchange, body.problem);
    return body.value;
  };
  /** @param isLinked whether another page linked to this one. */
  const readPage = async (url: URL, isLinked: boolean) => {
    const exchange = await send({ method: 'GET', url });
    const pets = parse(Pets, exchange);
    const refuse = (problem: string) => exchanger.refuse(exchange, problem);
    const next = readNext(exchange, baseUrl, refuse);
    // Our own service links every page but the last, which is told by its header.
    const linksPages = isLinked || exchanger.honorsKeys() === true;
    const isFull = pets.length >= Number(url.searchParams.get('limit') ?? pageLimits.default);
    const more = next !== undefined ? 'yes' : isFull && !linksPages ? 'unknown' : 'no';
    const page: Page = { pets, next, more };
    return { page, refuse };
  };
  return {
    async listPets(query, next) {
      return (await readPage(next ?? toListUrl(petsUrl, query), next !== undefined)).page;
    },
    async *eachPage(query) {
      const followed = new Set<string>();
      let emptyPages = 0;
      let url: URL | undefined = toListUrl(petsUrl, query);
      while (url !== undefined) {
        const { page, refuse } = await readPage(url, followed.size > 0);
        followed.add(url.href);
        emptyPages = page.pets.length === 0 ? emptyPages + 1 : 0;
        if (page.next !== undefined && followed.has(page.next.href)) {
          throw refuse(`a link to a next page that was read before, ${page.next.href}`);
        }
        if (page.next !== undefined && emptyPages === MAX_EMPTY_PAGES) {
          throw refuse(`${MAX_EMPTY_PAGES} empty pages in a row and a link to one more`);
        }
        yield page;
        url = page.next;
      }
    },
    async createPet(pet, idempotencyKey) {
      const body = encodeNewPet(pet);
      const exchange = await send({ method: 'POST', url: petsUrl, body, idempotencyKey });
      const replayed = exchange.response.headers[names.idempotencyReplayed.toLowerCase()];
      return { pet: parse(Pet, exchange), isReplayed: replayed === 'true' && !exchange.mayRepeat };
    },
    async getPet(id) {
      return parse(Pet, await send({ method: 'GET', url: new URL(`${petsPath}/${id}`, baseUrl) }));
    },
    async honorsKeys() {
      if (exchanger.honorsKeys() === undefined) await send({ method: 'HEAD', url: onePetUrl });
      return exchanger.honorsKeys() === true;
    },
    async probe() {
      const request = buildRequest({ method: 'GET', url: onePetUrl }, apiKey);
      const result = await exchanger.exchange(request);
      if ('failed' in result) throw exchanger.toError(request, result.failed);
      const { exchange } = result;
      if (isSuccess(exchange)) parse(Pets, exchange);
      else refuseOtherThanKey(exchanger, exchange);
      return toProbe(exchange);
    },
    close: exchanger.close,
  };
}

function toListUrl(petsUrl: URL, query: PageQuery): URL {
  const url = new URL(petsUrl);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** The next page that a response links to, once it is known that the key may go there. */
function readNext(
  { request, response }: Exchange,
  baseUrl: URL,
  refuse: (problem: string) => RequestError,
): URL | undefined {
  const link = findNextLink(response.headers.link, request.url);
  if (link === 'unreadable') throw refuse('a Link header that cannot be read');
  const problem = link && findLinkProblem(link, baseUrl);
  if (problem !== undefined) throw refuse(`a link to ${problem}`);
  return link;
}

/** A key that is refused is a result; everything else is an error. */
function refuseOtherThanKey(exchanger: Exchanger, { request, response }: Exchange): void {
  const failed = explainStatus(request, response);
  const isAboutKey = response.status === 401 || response.status === 403;
  if (!isAboutKey || failed.code === 'cli_unexpected_response') {
    throw exchanger.toError(request, failed);
  }
}

function toProbe({ response: { status, headers }, ms }: Exchange): Probe {
  const date = Date.parse(String(headers.date));
  return {
    status,
    keyInfo: parseKeyInfo(String(headers[names.petstoreKey.toLowerCase()] ?? '')),
    ms,
    serverDate: Number.isNaN(date) ? undefined : new Date(date),
  };
}
