import { type Client, DatabaseError } from 'pg';
import * as v from 'valibot';
import { StoreOpenError } from '../../store.ts';

const UserRow = v.object({ user: v.string(), schema: v.nullable(v.string()) });
const selectUser = 'SELECT current_user AS "user", current_schema() AS "schema"';

/** What a user that serves needs, as a statement for whoever owns the tables. */
export function grantFor(user: string, schema: string): string {
  return `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${user}`;
}

/** Says what is missing when reading the version, or changing tables of `version`, is refused for lack of a right (SQLSTATE 42501). */
export async function explainRights<Result>(
  client: Client,
  version: number | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '42501') throw error;
    const [{ user, schema }] = v.parse(v.tuple([UserRow]), (await client.query(selectUser)).rows);
    throw new StoreOpenError(describe(user, schema ?? 'public', version, await hasTables(client)), {
      cause: error,
    });
  }
}

async function hasTables(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT 1 FROM pg_class WHERE oid = to_regclass('petstore_schema')",
  );
  return rows.length > 0;
}

function describe(
  user: string,
  schema: string,
  version: number | undefined,
  hasTables: boolean,
): string {
  if (!hasTables)
    return (
      `the database has no tables yet, and its user ${user} may not create them: run petstore db migrate as a user ` +
      `who may (GRANT CREATE ON SCHEMA ${schema}), then ${grantFor(user, schema)}`
    );
  if (version === undefined)
    return `the database user ${user} may not read the tables: ${grantFor(user, schema)}`;
  return (
    `the tables are of an older version (${version}), and the database user ${user} may not change them: ` +
    'run petstore db migrate as their owner'
  );
}
