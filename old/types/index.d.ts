// The library's types, without those of the packages inside the bundle, which nobody who installs this one has.
// test/package/types.ts holds them to the sources.

export type PetStatus = 'available' | 'pending' | 'sold';

/** The body of a request that adds a pet. */
export interface NewPet {
  name: string;
  /** An int64: a `number` could not hold every one exactly. */
  categoryId: bigint;
  /** `available` when left out. */
  status?: PetStatus;
}

/** A pet as the service returns it. */
export interface Pet {
  id: bigint;
  name: string;
  categoryId: bigint;
  status?: PetStatus;
}

export interface ClientOptions {
  /** Ends in `/v1`. Use https, or http for this machine only: otherwise the key can be read on the network. */
  baseUrl: string;
  apiKey: string;
  /** Milliseconds per attempt, 30,000 by default. */
  timeout?: number;
  /** Retries per request, 2 by default. A write is retried only where that cannot add twice. */
  retries?: number;
  /** Ends every request. */
  signal?: AbortSignal;
  /** Proxies by URL, empty for none. No proxy is used unless given; no environment variable is read. */
  proxy?: { httpProxy: string; httpsProxy: string; noProxy: string };
}

/** Which pets to list. `limit` is for one page: 1 to 100, 20 by default. */
export interface PageQuery {
  limit?: number;
  status?: PetStatus;
}

export interface Page {
  pets: Pet[];
  /** The next page, for `listNextPage`. */
  next: URL | undefined;
  /** Whether more pets follow. Unknown for a full page of another implementation, which may not link its pages. */
  more: 'yes' | 'no' | 'unknown';
  /** What was asked for. */
  request: { method: 'GET' | 'POST' | 'HEAD'; url: string; id: string };
}

export interface CreatedPet {
  pet: Pet;
  /** The same idempotency key and pet were sent before; nothing was added this time. */
  isReplay: boolean;
}

/**
 * Calls a pet store service. Every method rejects with a `RequestError`; a mistake in an argument is a `TypeError`,
 * and nothing is sent.
 */
export interface PetstoreClient {
  /** Every pet, read page by page while they are used, in the order of the service. */
  pets(query?: { status?: PetStatus }): AsyncGenerator<Pet, void, undefined>;
  listPets(query?: PageQuery): Promise<Page>;
  listNextPage(next: URL): Promise<Page>;
  /** Adds a pet. An idempotency key is created unless given; the same key and pet never add twice. */
  createPet(pet: NewPet, options?: { idempotencyKey?: string }): Promise<CreatedPet>;
  /** @deprecated The service removes the operation on 5 December 2030. */
  getPet(id: bigint): Promise<Pet>;
  /** Whether the service recognizes a pet that was sent before by its idempotency key. */
  honorsIdempotency(): Promise<boolean>;
  /** Ends the requests that are still on their way, and frees the connections. */
  close(): Promise<void>;
}

/** @throws TypeError for options that cannot work. */
export declare function createPetstoreClient(options: ClientOptions): PetstoreClient;

/** A pet as the service writes it, every digit of its ids kept, which `JSON.stringify` refuses to write. */
export declare function petToJson(pet: Pet): string;

/** The body of every error response of the service. */
export interface ServiceError {
  code: string;
  message: string;
  status: number;
}

/** How a request failed. */
export type Failure =
  /** The service refused it, with the contract's Error body. */
  | { kind: 'response'; status: number; error: ServiceError }
  /** The response does not follow the contract: HTML, truncated JSON, a redirect; without a status it is not even HTTP. */
  | { kind: 'unexpected_response'; status: number | undefined; reason: string }
  /** No connection was established: nothing was sent. */
  | { kind: 'unreachable'; reason: string; code: string; isCertificate: boolean }
  /** The connection was lost, or time ran out, after the request may have been sent; `hasBegun`: in the middle of the response. */
  | { kind: 'no_response'; reason: string; isTimeout: boolean; hasBegun: boolean }
  /** The signal ended it. */
  | { kind: 'aborted' };

/** A request that did not succeed, after all its attempts. */
export declare class RequestError extends Error {
  readonly name: 'RequestError';
  readonly request: { method: 'GET' | 'POST' | 'HEAD'; url: string; id: string };
  readonly failure: Failure;
  /** The outcome of a write: only `unknown` is not safe to send again without its idempotency key. */
  readonly outcome: 'not_sent' | 'not_applied' | 'unknown';
  /** Seconds the service asked to wait. */
  readonly retryAfter: number | undefined;
  /** The idempotency key of a write. With it the write can be sent again safely where `honorsIdempotency` is true. */
  readonly idempotencyKey: string | undefined;
  /** Whether the service honors idempotency keys; undefined when no response has said so. */
  readonly honorsIdempotency: boolean | undefined;
}
