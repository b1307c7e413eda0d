import type { Int64 } from '../../contract/int64.ts';
import type { KeyAccess } from '../../contract/key-info.ts';
import type { NewPet, PetStatus } from '../../contract/pet.ts';

/** A pet as it is sent: its id, and its JSON in the contract's order, built once when it is stored or read. */
export interface StoredPet {
  readonly id: Int64;
  readonly json: string;
}

/** Pets as they are sent, and where the next page starts. */
export interface StoredPage {
  /** A JSON array of them. */
  readonly json: string;
  /** The id after which the next page starts; undefined when there are no more pets. */
  readonly next: Int64 | undefined;
}

/** Pets whose id is greater than `after`, ascending, at most `limit`. Ids start at 1. */
export interface PageQuery {
  readonly after: Int64;
  readonly limit: number;
  readonly status?: PetStatus | undefined;
}

/** A pet to add, with its defaults, and the key that makes adding it idempotent. */
export interface Addition {
  readonly pet: Required<NewPet>;
  readonly idempotencyKey?: string | undefined;
  /** The API key that adds it, which is remembered with the pet. */
  readonly keyId?: Int64 | undefined;
}

/**
 * What became of an addition: stored now, stored before under the same idempotency key,
 * or refused because that key was used for another pet.
 */
export type AddOutcome =
  | { readonly kind: 'added' | 'replayed'; readonly pet: StoredPet }
  | { readonly kind: 'mismatch' };

/** A pet with who added it and when; undefined where the store does not know, as for what petstore 0.1.0 added. */
export interface AuditRecord extends Required<NewPet> {
  readonly id: Int64;
  readonly keyId: Int64 | undefined;
  readonly addedAt: Date | undefined;
}

/** Pets whose id is greater than `after`, ascending, at most `limit`, added by one of these keys and not before `since`. */
export interface AuditQuery {
  readonly after: Int64;
  readonly limit: number;
  readonly keyIds?: readonly Int64[] | undefined;
  readonly since?: Date | undefined;
}

/** An API key as the store knows it: never the key itself. */
export interface ApiKeyRecord {
  readonly id: Int64;
  readonly name: string;
  readonly access: KeyAccess;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
}

/** A key to store, by the SHA-256 of its text. */
export interface NewApiKey {
  readonly hash: Uint8Array;
  readonly name: string;
  /** `write` unless given. */
  readonly access?: KeyAccess | undefined;
  readonly createdAt: Date;
  readonly expiresAt?: Date | undefined;
}

/** A key's successor, and when the key itself ends, unless it does earlier. */
export interface KeyRotation {
  readonly id: Int64;
  readonly endsAt: Date;
  readonly successor: NewApiKey;
}

export interface KeyUse {
  readonly id: Int64;
  readonly at: Date;
}

/** Where API keys are stored. Safe to use while the service runs on the same database. */
export interface KeyStore {
  createKey(key: NewApiKey): Promise<ApiKeyRecord>;
  /** Every key ever created, oldest first. */
  listKeys(): Promise<ApiKeyRecord[]>;
  /** Marks a key as revoked; the time of its first revocation stays. Undefined when there is no such key. */
  revokeKey(id: Int64, at: Date): Promise<ApiKeyRecord | undefined>;
  /**
   * Creates a key's successor and has the key end, both or neither. Undefined when there is no such key that is valid at
   * the creation of the successor.
   */
  rotateKey(rotation: KeyRotation): Promise<ApiKeyRecord | undefined>;
  findKey(hash: Uint8Array): Promise<ApiKeyRecord | undefined>;
  /** Moves each key's last use forward, never back. */
  recordKeyUses(uses: readonly KeyUse[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Where pets are stored: the port that every database adapter implements (`test/service/storage/store-suite.ts` tests them).
 * Pets never change once stored; replayed responses and cached pages rely on it.
 * Each method rejects with (or throws) StoreUnavailableError while the database cannot be used; nothing was stored then,
 * unless it is a StoreOutcomeUnknownError.
 */
export interface Store extends KeyStore {
  /** It and `findPet` return at once where the database is in this process: to wait costs a request more than such a read. */
  listPets(query: PageQuery): StoredPage | Promise<StoredPage>;
  findPet(id: Int64): StoredPet | undefined | Promise<StoredPet | undefined>;
  /**
   * Adds a batch in one transaction with its idempotency keys, and `now` as the time of each pet. When it resolves, all of it is durable. When it rejects,
   * none of it is visible, but a crash soon after may still bring back the whole batch (with StoreOutcomeUnknownError it
   * may be there already), so only an idempotency key makes a retry safe. No two additions of a batch share such a key.
   * Keys older than IDEMPOTENCY_DAYS at `now` count as never used and are deleted little by little.
   * Ids ascend, and become visible to readers in that order.
   */
  addPets(additions: readonly Addition[], now: Date): Promise<AddOutcome[]>;
  /**
   * How many batches it should be sent at once. Two, where the database would otherwise wait for this thread between two
   * of them; one, where it is shared, as what has not been sent can still grow until its turn comes.
   */
  readonly batchesAtOnce: 1 | 2;
  readAudit(query: AuditQuery): Promise<AuditRecord[]>;
  /**
   * Resolves when an add would work, as far as that shows without one: the database responds, may be written and is the
   * one that was opened. Asked every second, so it must not wait behind reads or adds.
   */
  checkReady(): Promise<void>;
  /** Whether an add waits so long for the database that no further one should. */
  isStalled(): boolean;
  /**
   * A small durable write that changes no data, by the statements of an add: while one of them fails, this does. Asked
   * every second after a failed write.
   */
  tryWrite(): Promise<void>;
}

/** When a write that took longer than this fails, those that wait for it are not tried as well, in milliseconds. */
export const STALL_MS = 1_000;

/** What a whole store holds. */
export interface StoreSummary {
  readonly pets: number;
  readonly apiKeys: number;
}

/** The database cannot be used now, but may be later: locked, read-only, or out of reach. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
}

/** A part of the database is missing or damaged: it stays so until an operator acts. */
export class StoreDamagedError extends StoreUnavailableError {
  override readonly name: string = 'StoreDamagedError';
}

/** What the database says of a place in its file that is not as it wrote it. Elsewhere it works on, so no success shows an end of it. */
export class StoreMalformedError extends StoreDamagedError {
  override readonly name = 'StoreMalformedError';
}

/** The connection was lost while something was being stored: it may or may not be there. A retry with its idempotency key is safe. */
export class StoreOutcomeUnknownError extends StoreUnavailableError {
  override readonly name: string = 'StoreOutcomeUnknownError';
}

/** What to do about a store that is not whole. */
export function reportDamage(database: string, problem: string): StoreOpenError {
  return new StoreOpenError(`the database ${database} is damaged (${problem}): restore a backup`);
}

/** The database cannot be opened at all. The message says why and what to do. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
}
