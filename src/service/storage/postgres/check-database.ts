import * as v from 'valibot';
import { UserError } from '../../../errors.ts';
import type { StoreSummary } from '../store.ts';
import { Bigint } from './columns.ts';
import { toUserError } from './errors.ts';
import type { PostgresDatabase } from './open-postgres-store.ts';
import { type Connections, openConnections } from './pool.ts';
import { readVersion } from './schema.ts';

const selectSummary = {
  name: 'summary',
  text: `SELECT (SELECT count(*) FROM pets) AS pets, (SELECT count(*) FROM api_keys) AS "apiKeys",
    (SELECT count(*) FROM idempotency_keys WHERE NOT EXISTS (SELECT FROM pets WHERE id = pet_id)) AS orphans`,
  row: v.object({ pets: Bigint, apiKeys: Bigint, orphans: Bigint }),
};

/** Whether there are tables of ours. @throws UserError `cli_database` when the database cannot be reached */
export async function hasPostgresStore(database: PostgresDatabase): Promise<boolean> {
  return await withConnections(database, (connections) =>
    connections.transact(async (send) => (await readVersion(send)) > 0),
  );
}

/** Reads all pets and keys of a database, which may be in use. @throws UserError `cli_database` when some are missing */
export async function checkPostgresDatabase(database: PostgresDatabase): Promise<StoreSummary> {
  return await withConnections(database, async ({ query }) => {
    const [found = { orphans: 0n, pets: 0n, apiKeys: 0n }] = await query(selectSummary, []);
    const { orphans, ...summary } = found;
    if (orphans === 0n) return summary;
    const problem = 'the pet of an idempotency key is missing';
    throw new UserError(
      'cli_database',
      `${database.shown} is damaged (${problem}): restore a backup.`,
    );
  });
}

async function withConnections<Result>(
  { url, shown }: PostgresDatabase,
  work: (connections: Connections) => Promise<Result>,
): Promise<Result> {
  const connections = openConnections(url);
  try {
    return await work(connections);
  } catch (error) {
    throw toUserError(error, shown);
  } finally {
    await connections.close();
  }
}
