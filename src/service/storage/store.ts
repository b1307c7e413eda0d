import type { KeyAccess } from '../../contract/headers.ts';
import type { Int64 } from '../../contract/int64.ts';
import type { ListPetsQuery } from '../../contract/operations.ts';
import type { NewPet } from '../../contract/pet.ts';

/** A value now where the database is in this process, a promise where it is not: waiting costs more than such a read. */
type Eventually<T> = T | Promise<T>;

/** Pets behind `after` in the order asked for, at most `limit`. Without `after`: from the first one in that order. */
export interface PageQuery extends Omit<ListPetsQuery, 'cursor'> {
  readonly after?: Int64 | undefined;
}

/** Pets as they are sent. */
interface StoredPage {
  /** A JSON array of them, as text. */
  readonly json: string;
  /** The id after which the next page starts; undefined on the last page. */
  readonly next: Int64 | undefined;
}

/** A pet to add, with its defaults, the key that makes adding it idempotent, and the API key that adds it. */
export interface Addition {
  readonly pet: Required<NewPet>;
  readonly idempotencyKey?: string | undefined;
  readonly keyId: Int64;
}

/** What `checkWritable` adds and takes back. */
export const sampleAddition: Addition = {
  pet: { name: 'readyz', categoryId: 0n, status: 'available' },
  idempotencyKey: 'readyz',
  keyId: 0n,
};

/**
 * What became of an addition: stored now, stored before under the same idempotency key, or refused because that key was
 * used for another pet. `at` is when it was stored.
 */
export type AddOutcome =
  | { readonly kind: 'added' | 'replayed'; readonly id: Int64; readonly at: Date }
  | { readonly kind: 'mismatch' };

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
export interface NewApiKey
  extends Pick<ApiKeyRecord, 'name' | 'access' | 'createdAt' | 'expiresAt'> {
  readonly hash: Buffer;
}

/** A pet with who added it and when. */
export interface AuditRecord extends Required<NewPet> {
  readonly id: Int64;
  readonly keyId: Int64;
  readonly keyName: string;
  readonly addedAt: Date;
}

/** Newest first, at most `limit`; by one pet, by the API keys of one name, and not before `since`, where given. */
export interface AuditQuery {
  readonly limit: number;
  readonly petId?: Int64 | undefined;
  readonly keyName?: string | undefined;
  readonly since?: Date | undefined;
}

/**
 * Where pets and API keys are stored: the port that both adapters implement and `test/service/storage/store-suite.ts` tests.
 * Pets never change once stored; replayed responses and cached pages rely on it. Each function throws `StoreError`
 * while the database cannot be used.
 */
export interface Store {
  /** Whether it was created when it was opened. */
  readonly isNew: boolean;
  /** How often a connection was lost: what was read before the latest loss may not hold any more. */
  countLosses(): number;
  listPets(query: PageQuery): Eventually<StoredPage>;
  /** One pet as JSON text; undefined when there is none. */
  findPet(id: Int64): Eventually<string | undefined>;
  /**
   * Adds a batch in one transaction, with its idempotency keys and `now` as the time of each pet. What it returns is
   * durable; when it throws, nothing was stored unless the error says `isOutcomeUnknown`. No two additions of a batch share
   * a key. Ids ascend, and become visible to readers in that order.
   */
  addPets(additions: readonly Addition[], now: Date): Promise<AddOutcome[]>;
  /** What an add does, rolled back, and a small durable write: works exactly when an add would. */
  checkWritable(): Promise<void>;
  /** The key with this SHA-256, whatever its state; undefined when there is none. */
  findKey(hash: Buffer): Eventually<ApiKeyRecord | undefined>;
  /** Every key ever created, oldest first. */
  listKeys(): Eventually<ApiKeyRecord[]>;
  /** Stores a key. Undefined, and nothing is stored, when there is an active key of this name. */
  createKey(key: NewApiKey): Promise<ApiKeyRecord | undefined>;
  /** Marks a key as revoked; the time of its first revocation stays. */
  revokeKey(id: Int64, at: Date): Promise<void>;
  /** Moves the last use of keys forward, never back. */
  recordKeyUses(uses: ReadonlyMap<Int64, Date>): Promise<void>;
  /** Who added which pet, newest first. */
  readAudit(query: AuditQuery): Eventually<AuditRecord[]>;
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  /** `serve` and `migrate` have a SQLite database alone; a command shares it with a running service. */
  readonly isExclusive: boolean;
  /** A store that is not there is refused, not created. */
  readonly mustExist?: boolean;
}

/** What an undamaged store holds. */
export interface StoreSummary {
  readonly pets: bigint;
  readonly apiKeys: bigint;
}

/** The database cannot be used now, but may be later: the service says 503. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The commit was lost: what was being stored may or may not be there. */
  readonly isOutcomeUnknown: boolean;

  constructor(message: string, options: ErrorOptions & { isOutcomeUnknown?: boolean } = {}) {
    super(message, options);
    this.isOutcomeUnknown = options.isOutcomeUnknown ?? false;
  }
}
