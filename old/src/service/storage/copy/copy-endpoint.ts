/** What a store holds, by kind: the same tables and columns in every database, their types as PostgreSQL calls them. */
export const tables = {
  pets: {
    name: 'pets',
    order: 'id',
    columns: {
      id: 'bigint',
      name: 'text',
      category_id: 'bigint',
      status: 'text',
      added_by: 'bigint',
      added_at: 'timestamptz',
    },
  },
  idempotencyKeys: {
    name: 'idempotency_keys',
    order: 'key',
    columns: { key: 'text', pet_id: 'bigint', created_at: 'timestamptz' },
  },
  apiKeys: {
    name: 'api_keys',
    order: 'id',
    columns: {
      id: 'bigint',
      hash: 'bytea',
      name: 'text',
      access: 'text',
      created_at: 'timestamptz',
      last_used_at: 'timestamptz',
      expires_at: 'timestamptz',
      revoked_at: 'timestamptz',
    },
  },
} as const;

export type RowKind = keyof typeof tables;
export type Table = (typeof tables)[RowKind];

/** A time is in milliseconds since the epoch. */
export type Value = bigint | string | Uint8Array | null;

/** A row by its columns, in the order of the table above. */
export type Row = Readonly<Record<string, Value>>;

/** The source must exist; a target is created if there is none. */
export type CopyRole = 'source' | 'target';

/**
 * One side of a copy: every row of a store as it is. Each adapter has one (`test/service/storage/copy/copy-store.test.ts`).
 * Rejects with StoreUnavailableError while the database cannot be used.
 */
export interface CopyEndpoint {
  countRows(kind: RowKind): Promise<number>;
  /** In the order of their ids, or for keys in one of the database's own, after `after`. */
  readRows(kind: RowKind, after: Value, limit: number): Promise<Row[]>;
  /** Adds rows after `after`. Returns false, and adds nothing, when that is no longer the last id. */
  appendRows(kind: RowKind, rows: readonly Row[], after: Value): Promise<boolean>;
  clearRows(kind: RowKind): Promise<void>;
  close(): Promise<void>;
}
