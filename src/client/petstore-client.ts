import type { KeyInfo } from '../contract/headers.ts';
import type { Order } from '../contract/operations.ts';
import type { NewPet, Pet, PetStatus } from '../contract/pet.ts';
import type { RequestLine } from './request-error.ts';

/** Something that happened to a request, for `--verbose`. The key is redacted; all else is as it was sent or received. */
export type RequestEvent =
  | {
      readonly kind: 'request';
      readonly request: RequestLine;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | undefined;
    }
  | {
      readonly kind: 'response';
      readonly request: RequestLine;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: string;
      readonly ms: number;
    }
  | {
      readonly kind: 'failure';
      readonly request: RequestLine;
      readonly reason: string;
      readonly ms: number;
    }
  | {
      readonly kind: 'retry';
      readonly request: RequestLine;
      readonly reason: string;
      readonly delayMs: number;
    };

export interface ClientOptions {
  /** Its path ends in `/v1`. */
  readonly baseUrl: URL;
  /** Absent: requests carry no key, as `probe` needs it for an address that is not known yet. */
  readonly apiKey?: string | undefined;
  /** Milliseconds per attempt; 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** After the first attempt; 2 unless given. */
  readonly retries?: number | undefined;
  /** Ends every request. */
  readonly signal?: AbortSignal | undefined;
  readonly proxy?: ProxyOptions | undefined;
  readonly observe?: ((event: RequestEvent) => void) | undefined;
}

/** The URL of an HTTP proxy, perhaps with user and password, and the hosts that are reached without it. */
export interface ProxyOptions {
  readonly url: URL;
  readonly noProxy: string;
  /** The variable that named it, for messages. */
  readonly source: string;
}

export interface PageQuery {
  /** Pets per page, 1 to 100. */
  readonly limit?: number | undefined;
  readonly status?: PetStatus | undefined;
  readonly order?: Order | undefined;
}

export interface Page {
  readonly pets: readonly Pet[];
  /** The next page, for `listPets`. */
  readonly next: URL | undefined;
  /** Whether more pets follow; `unknown` for a full page of a service that has linked none in this run. */
  readonly more: 'yes' | 'no' | 'unknown';
}

export interface CreatedPet {
  readonly pet: Pet;
  /** The same key and pet were sent before; nothing was added this time. */
  readonly isReplayed: boolean;
}

/** What one request says of the address and the key. */
export interface Probe {
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
  /** One attempt to read one pet. 401 and 403 with an Error body are results, every other failure throws. */
  probe(): Promise<Probe>;
  /** Ends what is still in flight and frees the connections. */
  close(): Promise<void>;
}

/** Connects when the first request is sent. */
export function createPetstoreClient(_options: ClientOptions): PetstoreClient {
  throw new Error('not written yet');
}
