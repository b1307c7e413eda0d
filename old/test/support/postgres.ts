import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** A place in PostgreSQL for one test or one test file. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database on the run's server, or on the one that PETSTORE_TEST_POSTGRES_URL names. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await findServer();
  const name = `petstore_test_${randomBytes(6).toString('hex')}`;
  await execute(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Creates an empty schema, which is faster: for tests that use only their own tables. */
export async function createTestSchema(): Promise<TestDatabase> {
  const server = await findServer();
  const name = `petstore_test_${randomBytes(6).toString('hex')}`;
  await execute(server, `CREATE SCHEMA ${name}`);
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${name}`);
  return { url: url.href, drop: () => execute(server, `DROP SCHEMA ${name} CASCADE`) };
}

async function findServer(): Promise<string> {
  const given = process.env.PETSTORE_TEST_POSTGRES_URL;
  if (given) return given;
  const response = await fetch(inject('postgresBroker'));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
