/** In the order of copying: API keys last, so that nobody can use a store that is not complete. */
export const tableNames = ['pets', 'idempotency_keys', 'api_keys'] as const;
export type TableName = (typeof tableNames)[number];

export interface Table {
  readonly order: 'id' | 'key';
  /** Types as PostgreSQL calls them. */
  readonly columns: Readonly<Record<string, 'bigint' | 'text' | 'bytea'>>;
}

/** What a store holds: the same tables and columns in every database. */
export const tables: Readonly<Record<TableName, Table>> = {
  pets: {
    order: 'id',
    columns: {
      id: 'bigint',
      name: 'text',
      category_id: 'bigint',
      status: 'text',
      added_by: 'bigint',
      added_at: 'bigint',
    },
  },
  idempotency_keys: {
    order: 'key',
    columns: { key: 'text', pet_id: 'bigint', created_at: 'bigint' },
  },
  api_keys: {
    order: 'id',
    columns: {
      id: 'bigint',
      hash: 'bytea',
      name: 'text',
      access: 'text',
      created_at: 'bigint',
      last_used_at: 'bigint',
      expires_at: 'bigint',
      revoked_at: 'bigint',
    },
  },
};

export type Row = Readonly<Record<string, bigint | string | Uint8Array | null>>;

/** How many rows of each table there are, and the highest id of a pet. */
export type Figures = Readonly<Record<TableName | 'last_pet', bigint>>;

/** The same in both databases. */
export const selectFigures = `SELECT (SELECT count(*) FROM pets) AS pets,
  (SELECT count(*) FROM idempotency_keys) AS idempotency_keys,
  (SELECT count(*) FROM api_keys) AS api_keys,
  (SELECT coalesce(max(id), 0) FROM pets) AS last_pet`;
