/** A table with its columns and indexes, as far as one step adds them. */
export interface TableParts {
  readonly table: string;
  readonly columns: readonly string[];
  readonly indexes: readonly string[];
}

interface Step {
  readonly sql: string;
  /** The same by name: a user who may create nothing can find out with it what is missing. */
  readonly adds: readonly TableParts[];
}

/**
 * Each takes the schema one version further. Released steps are never edited and nothing is ever dropped.
 * Ids come from `id_counters`, see the pet writer.
 */
export const steps: readonly Step[] = [
  {
    sql: `CREATE TABLE id_counters (name text PRIMARY KEY, last_id bigint NOT NULL);
   INSERT INTO id_counters (name, last_id) VALUES ('pets', 0), ('api_keys', 0);
   CREATE TABLE pets (
     id bigint PRIMARY KEY,
     name text NOT NULL,
     category_id bigint NOT NULL,
     status text NOT NULL CHECK (status IN ('available', 'pending', 'sold'))
   );
   CREATE INDEX pets_by_status ON pets (status, id);
   CREATE TABLE idempotency_keys (
     key text PRIMARY KEY,
     pet_id bigint NOT NULL,
     created_at timestamptz NOT NULL
   );
   CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
   CREATE TABLE api_keys (
     id bigint PRIMARY KEY,
     hash bytea NOT NULL UNIQUE,
     name text NOT NULL,
     created_at timestamptz NOT NULL,
     last_used_at timestamptz,
     expires_at timestamptz,
     revoked_at timestamptz
   )`,
    adds: [
      { table: 'id_counters', columns: ['name', 'last_id'], indexes: ['id_counters_pkey'] },
      {
        table: 'pets',
        columns: ['id', 'name', 'category_id', 'status'],
        indexes: ['pets_pkey', 'pets_by_status'],
      },
      {
        table: 'idempotency_keys',
        columns: ['key', 'pet_id', 'created_at'],
        indexes: ['idempotency_keys_pkey', 'idempotency_keys_by_age'],
      },
      {
        table: 'api_keys',
        columns: [
          ...['id', 'hash', 'name', 'created_at', 'last_used_at', 'expires_at', 'revoked_at'],
        ],
        indexes: ['api_keys_pkey', 'api_keys_hash_key'],
      },
    ],
  },
  {
    // Null for pets whose key or time was not recorded. Columns without an index: they cost an add next to nothing.
    sql: `ALTER TABLE pets ADD COLUMN added_by bigint;
   ALTER TABLE pets ADD COLUMN added_at timestamptz;
   ALTER TABLE api_keys ADD COLUMN access text NOT NULL DEFAULT 'write' CHECK (access IN ('read', 'write'))`,
    adds: [
      { table: 'pets', columns: ['added_by', 'added_at'], indexes: [] },
      { table: 'api_keys', columns: ['access'], indexes: [] },
    ],
  },
];

export const NEWEST = steps.length;

const versionTable: TableParts = {
  table: 'petstore_schema',
  columns: ['name', 'version'],
  indexes: ['petstore_schema_pkey'],
};

/** All that a schema of this version has. */
export function listParts(version: number): readonly TableParts[] {
  return [versionTable, ...steps.slice(0, version).flatMap(({ adds }) => adds)];
}
