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

export type Value = bigint | string | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

/** Every row of a store as it is, which no service may use meanwhile. */
export interface StoreTables {
  countRows(table: TableName): Promise<bigint>;
  /** The highest id of a pet; 0 without any. */
  findLastPet(): Promise<bigint>;
  /** At most `limit` rows behind `after` in the table's order. */
  readRows(table: TableName, after: Value, limit: number): Promise<Row[]>;
  appendRows(table: TableName, rows: readonly Row[]): Promise<void>;
  close(): Promise<void>;
}
