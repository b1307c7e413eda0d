import { describe } from 'vitest';
import { usePostgres } from '../support/postgres-database.ts';
import { createTestApp } from '../support/test-app.ts';
import { describeContract } from './contract-suite.ts';

describe('on SQLite', () => describeContract(createTestApp));

describe('on PostgreSQL', () => {
  const postgres = usePostgres();
  describeContract(async (options) =>
    createTestApp({ ...options, database: await postgres.createDatabase() }),
  );
});
