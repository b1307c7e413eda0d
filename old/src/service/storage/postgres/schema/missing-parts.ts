import type { Client } from 'pg';
import * as v from 'valibot';
import type { TableParts } from './steps.ts';

const PartRows = v.array(v.object({ part: v.string() }));

// From the catalog, which every user may read. Names are found as statements find them, by the search_path.
const selectMissingColumn = `
  SELECT CASE WHEN relation IS NULL THEN 'table ' || "table" ELSE 'column ' || "table" || '.' || "column" END AS part
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS ours ("table", "column", position)
    CROSS JOIN LATERAL (SELECT to_regclass("table") AS relation) AS found
  WHERE NOT EXISTS (
    SELECT 1 FROM pg_attribute WHERE attrelid = relation AND attname = "column" AND NOT attisdropped
  ) ORDER BY position LIMIT 1`;

const selectMissingIndex = `
  SELECT 'index ' || "index" AS part
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS ours ("table", "index", position)
  WHERE NOT EXISTS (
    SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = to_regclass("table") AND relname = "index"
  ) ORDER BY position LIMIT 1`;

/** The first of these tables and columns that is not there, in words: somebody dropped or renamed it. */
export async function findMissingColumn(
  client: Client,
  tables: readonly TableParts[],
): Promise<string | undefined> {
  return await findFirst(client, selectMissingColumn, tables, 'columns');
}

/** The same with indexes, without which a store works, but slowly. */
export async function findMissingPart(
  client: Client,
  tables: readonly TableParts[],
): Promise<string | undefined> {
  const column = await findMissingColumn(client, tables);
  return column ?? (await findFirst(client, selectMissingIndex, tables, 'indexes'));
}

async function findFirst(
  client: Client,
  query: string,
  tables: readonly TableParts[],
  kind: 'columns' | 'indexes',
): Promise<string | undefined> {
  const { rows } = await client.query(query, [
    tables.flatMap((one) => one[kind].map(() => one.table)),
    tables.flatMap((one) => one[kind]),
  ]);
  return v.parse(PartRows, rows)[0]?.part;
}
