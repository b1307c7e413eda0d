import { Client } from 'pg';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Connection,
  openConnection,
} from '../../../../src/service/storage/postgres/connection/open-connection.ts';
import { parseDatabaseUrl } from '../../../../src/service/storage/postgres/connection/parse-database-url.ts';
import { openPostgresStore } from '../../../../src/service/storage/postgres/open-postgres-store.ts';
import { createPetReader } from '../../../../src/service/storage/postgres/pet-reader.ts';
import type { PageQuery } from '../../../../src/service/storage/store.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';

const ROWS = 50_000;
/** The whole table has about 400. */
const FEW_BLOCKS = 15;

const Explained = v.tuple([
  v.object({
    'QUERY PLAN': v.tuple([
      v.object({
        Plan: v.object({ 'Shared Hit Blocks': v.number(), 'Shared Read Blocks': v.number() }),
      }),
    ]),
  }),
]);

const kinds: { what: string; query: Omit<PageQuery, 'limit'> }[] = [
  { what: 'at the start', query: { after: 0n } },
  { what: 'in the middle', query: { after: BigInt(ROWS / 2) } },
  { what: 'of sold ones', query: { after: 100n, status: 'sold' } },
  { what: 'after the last sold one', query: { after: BigInt(ROWS / 2), status: 'sold' } },
  { what: 'of available ones, which start late', query: { after: 0n, status: 'available' } },
  { what: 'of the few pending ones', query: { after: 0n, status: 'pending' } },
];

/** Like a real store: the oldest pets are sold. One in ten thousand is pending. */
const fill = `INSERT INTO pets (id, name, category_id, status)
  SELECT id, 'Rex', 1,
    CASE WHEN id % 10000 = 0 THEN 'pending' WHEN id < ${ROWS / 2} THEN 'sold' ELSE 'available' END
  FROM generate_series(1, ${ROWS}) AS ids (id)`;

describe.skipIf(findPostgresObstacle()).each([
  { planner: 'knows the data', prepare: 'ANALYZE pets' },
  {
    planner: 'knows nothing of the data',
    prepare: 'ALTER TABLE pets SET (autovacuum_enabled = off)',
  },
])('a page, when the planner $planner', ({ prepare }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await (await openPostgresStore(database.url)).close();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(fill);
    await client.query(prepare);
    await client.end();
  });
  afterAll(() => database.drop());

  it.each(
    kinds.flatMap((kind) =>
      ['force_generic_plan', 'force_custom_plan'].map((mode) => ({ ...kind, mode })),
    ),
  )('$what reads a few blocks only ($mode)', async ({ query, mode }) => {
    const client = await connectClient(database.url);
    await client.query(`SET plan_cache_mode = ${mode}`);
    let blocks = 0;
    const explain: Connection['query'] = async ({ text }, values) => {
      const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [
        ...values,
      ]);
      const { Plan } = v.parse(Explained, rows)[0]['QUERY PLAN'][0];
      blocks = Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
      return [];
    };
    await createPetReader({ query: explain }).listPets({ ...query, limit: 20 });
    expect(blocks).toBeGreaterThan(0);
    expect(blocks).toBeLessThan(FEW_BLOCKS);
  });

  it('is planned a few times and not for every reader', async () => {
    const connection = openConnection(parseDatabaseUrl(database.url));
    const reader = createPetReader(connection);
    for (let turn = 0; turn < 20; turn += 1) {
      for (const { query } of kinds) await reader.listPets({ ...query, limit: 20 });
    }
    const plans = await connection.query(
      {
        name: 'count_plans',
        text: "SELECT custom_plans::integer AS custom FROM pg_prepared_statements WHERE name LIKE 'list_pets%'",
        row: v.object({ custom: v.number() }),
      },
      [],
    );
    await connection.close();
    expect(plans).toEqual([{ custom: 5 }, { custom: 5 }]);
  });
});
