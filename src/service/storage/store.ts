import type { Int64 } from '../../contract/int64.ts';
import type { NewPet, PetStatus } from '../../contract/pet.ts';

/** A pet as it is sent: its id, and its JSON in the contract's order, made once when it is stored or read. */
export interface StoredPet {
  readonly id: Int64;
  readonly json: string;
}

/** Pets as they are sent, and where the next page begins. */
export interface StoredPage {
  /** A JSON array of them. */
  readonly json: string;
  /** The id behind which the next page begins; undefined when there are no further pets. */
  readonly next: Int64 | undefined;
}

/** Pets whose id is greater than `after`, ascending, at most `limit`. Ids begin at 1. */
export interface PageQuery {
  readonly after: Int64;
  readonly limit: number;
  readonly status?: PetStatus | undefined;
}

/** A pet to add, its defaults filled in, and the key that makes adding it repeatable. */
export interface Addition {
  readonly pet: Required<NewPet>;
  readonly idempotencyKey?: string | undefined;
}

/**
 * What became of an addition: stored, stored before under the same idempotency key,
 * or refused because that key was used for another pet.
 */
export type AddOutcome =
  | { readonly kind: 'added' | 'replayed'; readonly pet: StoredPet }
  | { readonly kind: 'mismatch' };

/** An API key as the store knows it: never the key itself. */
export interface ApiKeyRecord {
  readonly id: Int64;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
}

/** A key to remember, by the SHA-256 of its text. */
export interface NewApiKey {
  readonly hash: Uint8Array;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
}

export interface KeyUse {
  readonly id: Int64;
  readonly at: Date;
}

/** Where API keys are kept. Safe to use beside running instances of the service. */
export interface KeyStore {
  createKey(key: NewApiKey): Promise<ApiKeyRecord>;
  /** Every key ever made, oldest first. */
  listKeys(): Promise<ApiKeyRecord[]>;
  /** Marks the key as revoked; the time of the first revocation stays. Undefined when there is no such key. */
  revokeKey(id: Int64, at: Date): Promise<ApiKeyRecord | undefined>;
  findKey(hash: Uint8Array): Promise<ApiKeyRecord | undefined>;
  /** Moves each key's last use forward, never back. */
  recordKeyUses(uses: readonly KeyUse[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Where pets are kept: the port that every database adapter implements (`test/service/storage/store-suite.ts` holds them to it).
 * Pets never change once stored; replayed answers and kept pages rely on it.
 * Each method rejects with StoreUnavailableError while the database cannot be used, and nothing was stored then,
 * unless it is a StoreOutcomeUnknownError.
 */
export interface Store extends KeyStore {
  listPets(query: PageQuery): Promise<StoredPage>;
  findPet(id: Int64): Promise<StoredPet | undefined>;
  /**
   * Adds a batch in one transaction with its idempotency keys. When it resolves all is durable. When it rejects nobody
   * sees any of it; only a crash soon after may still bring it back whole (with StoreOutcomeUnknownError it may be there
   * already), so that only an idempotency key makes trying again safe. No two additions of a batch share such a key.
   * Keys older than IDEMPOTENCY_DAYS at `now` count as never used, and are swept little by little.
   * Ids ascend, and become visible to readers in their order.
   */
  addPets(additions: readonly Addition[], now: Date): Promise<AddOutcome[]>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
}

/** The database cannot be used now, but may be later: locked, read-only, or out of reach. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
}

/** The connection was lost while something was being stored: it may or may not be there. An idempotency key settles it. */
export class StoreOutcomeUnknownError extends StoreUnavailableError {
  override readonly name: string = 'StoreOutcomeUnknownError';
}

/** The database cannot be opened at all. The message says why and what to do. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
}
