import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { findPostgresObstacle, openPostgresCluster } from './postgres-cluster.ts';

describe.skipIf(findPostgresObstacle())('the PostgreSQL of the tests', () => {
  let database: TestDatabase | undefined;
  afterEach(async () => database?.drop());

  it('gives each test file an empty database on one server', async () => {
    database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('SELECT count(*) FROM pg_tables WHERE schemaname = $1', [
      'public',
    ]);
    await client.end();
    expect(rows).toEqual([{ count: '0' }]);
  });

  it('leaves no folder and no server behind when a cluster is closed', async () => {
    const cluster = await openPostgresCluster();
    await cluster.restart();
    await cluster.close();
    const client = new Client({ connectionString: cluster.url });
    await expect(client.connect()).rejects.toThrow('ECONNREFUSED');
    expect(existsSync(cluster.folder)).toBe(false);
  });
});
