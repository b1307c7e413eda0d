import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { openPostgresCluster, type PostgresCluster } from './postgres-cluster.ts';
import { isLinux, skipUnless } from './system.ts';

/** Gives the tests of a file a PostgreSQL server: their own, or the one that PETSTORE_TEST_POSTGRES_URL names. */
export function usePostgres() {
  const given = process.env.PETSTORE_TEST_POSTGRES_URL;
  let cluster: PostgresCluster | undefined;
  beforeAll(async () => {
    if (!given && isLinux) cluster = await openPostgresCluster();
  });
  afterAll(() => cluster?.close());
  const serverUrl = () => given || (cluster?.url ?? '');
  return {
    /** The URL of a new, empty database, dropped at the end of the test. */
    async createDatabase(): Promise<string> {
      skipUnless(serverUrl() !== '', 'PostgreSQL');
      const name = `petstore_test_${randomBytes(6).toString('hex')}`;
      const url = new URL(serverUrl());
      await execute(url.href, `CREATE DATABASE ${name}`);
      onTestFinished(() => execute(serverUrl(), `DROP DATABASE ${name} WITH (FORCE)`));
      url.pathname = `/${name}`;
      return url.href;
    },
  };
}

/** Runs statements as an operator would. */
export async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
