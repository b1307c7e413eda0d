import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startServing } from '../../../../src/service/start-serving.ts';
import { call, post } from '../../../support/http.ts';
import {
  createTestDatabase,
  createTestSchema,
  type TestDatabase,
} from '../../../support/postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';
import { startService } from '../../../support/service.ts';
import { waitFor } from '../../../support/wait-for.ts';

/** Those of the service. */
const SELECT_SESSIONS =
  'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
const END_SESSIONS = `SELECT pg_terminate_backend(pid, 5000) FROM (${SELECT_SESSIONS}) AS sessions`;

describe.skipIf(findPostgresObstacle())('petstore serve on PostgreSQL', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestSchema();
  });
  afterEach(() => database.drop());

  it.each(['flag', 'variable'])(
    'takes the database from the %s and shows no password',
    async (source) => {
      const log: string[] = [];
      const service = await startServing({
        flags: { port: '0', seed: true, ...(source === 'flag' ? { database: database.url } : {}) },
        variables: source === 'variable' ? { PETSTORE_SERVE_DATABASE: database.url } : {},
        dataFolder: '/nowhere',
        writeLog: (line) => log.push(line),
        clock: () => new Date(),
      });
      try {
        const key = service.developmentKey ?? 'none';
        const { status } = await call({ url: service.url, key }, '/pets');
        expect(status).toBe(200);
        expect(service.hasKeys).toBe(true);
        expect(service.database).toMatch(/^postgres:\/\/petstore:…@127\.0\.0\.1/);
        expect(log.join('')).not.toContain(new URL(database.url).password);
      } finally {
        await service.close();
      }
    },
  );

  it('is ready again after it met a damaged page once it connects anew, as after a failover, while no client reads', async () => {
    const own = await createTestDatabase();
    onTestFinished(own.drop);
    const service = await startService({ database: own.url });
    onTestFinished(service.close);
    const root = { ...service, url: service.url.replace('/v1', '') };
    const getReady = async () => (await call(root, '/readyz')).status;
    const add = async () => (await post(service, '{"name":"Rex","categoryId":7}')).status;
    const client = await connectClient(own.url);
    expect(await add()).toBe(201);
    await waitFor(async () => {
      await call(service, '/pets');
      expect((await client.query(SELECT_SESSIONS)).rowCount).toBe(4);
    });
    // As a server says it that has found such a page.
    await client.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'invalid page' USING ERRCODE = 'XX001'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON pets FOR EACH ROW EXECUTE FUNCTION refuse()`);
    expect(await add()).toBe(503);
    await client.query('DROP TRIGGER refuse ON pets');
    expect(await add()).toBe(201);
    expect(await getReady()).toBe(503);
    await client.query(END_SESSIONS);
    await expect.poll(getReady, { timeout: 5_000 }).toBe(200);
  });

  it('forgets the pages it cached when it connects anew: another server may be there', async () => {
    const own = await createTestDatabase();
    onTestFinished(own.drop);
    const service = await startService({
      pets: [
        { name: 'Rex', categoryId: 7n },
        { name: 'Luna', categoryId: 7n },
      ],
      database: own.url,
    });
    onTestFinished(service.close);
    const read = async () => (await call(service, '/pets?limit=1')).text;
    const client = await connectClient(own.url);
    // Each of the two reading connections clears the cache once it is connected, which may be after the first page.
    let renamed = 0;
    await waitFor(async () => {
      const cached = await read();
      renamed += 1;
      await client.query('UPDATE pets SET name = $1 WHERE id = 1', [`Max ${renamed}`]);
      expect(await read()).toBe(cached);
    });
    await client.query(END_SESSIONS);
    await waitFor(async () => expect(await read()).toContain(`Max ${renamed}`));
  });
});
