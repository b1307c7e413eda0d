import type { Int64 } from '../../../contract/int64.ts';
import type { NewPet } from '../../../contract/pet.ts';
import type { ApiKeyRecord } from '../store.ts';

interface CopiedPet extends Required<NewPet> {
  readonly id: Int64;
}

/** An idempotency key and the pet that was added under it. */
interface CopiedIdempotencyKey {
  readonly key: string;
  readonly petId: Int64;
  readonly createdAt: Date;
}

/** An API key as the store knows it: the SHA-256 of its text, never the key itself. */
interface CopiedApiKey extends ApiKeyRecord {
  readonly hash: Uint8Array;
}

/** Everything a store holds, by kind. */
export interface StoredRows {
  readonly pets: CopiedPet;
  readonly idempotencyKeys: CopiedIdempotencyKey;
  readonly apiKeys: CopiedApiKey;
}

/** The source must exist; a target is created if there is none. */
export type CopyRole = 'source' | 'target';

export type RowCounts = Readonly<Record<keyof StoredRows, number>>;

/**
 * One side of a copy: every row of a store as it is. Each adapter has one (`test/service/storage/copy/copy-store.test.ts`).
 * Rejects with StoreUnavailableError while the database cannot be used.
 */
export interface CopyEndpoint {
  countRows(): Promise<RowCounts>;
  /** 0 when there are no pets. */
  lastPetId(): Promise<Int64>;
  /** In the order of their ids, after `after`. */
  readPets(after: Int64, limit: number): Promise<CopiedPet[]>;
  /** In an order of the database's own, after `after`; the empty text is before all of them. */
  readIdempotencyKeys(after: string, limit: number): Promise<CopiedIdempotencyKey[]>;
  /** In the order of their ids, after `after`. */
  readApiKeys(after: Int64, limit: number): Promise<CopiedApiKey[]>;
  /** Adds pets with their ids, which ascend. Returns false, and adds nothing, when `last` is no longer the last pet's id. */
  appendPets(pets: readonly CopiedPet[], last: Int64): Promise<boolean>;
  clearIdempotencyKeys(): Promise<void>;
  putIdempotencyKeys(keys: readonly CopiedIdempotencyKey[]): Promise<void>;
  /** Adds keys with their ids, or replaces those of the same id. */
  putApiKeys(keys: readonly CopiedApiKey[]): Promise<void>;
  close(): Promise<void>;
}
