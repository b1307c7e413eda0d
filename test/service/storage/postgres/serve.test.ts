import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServing } from '../../../../src/service/start-serving.ts';
import { call } from '../../../support/http.ts';
import { createTestSchema, type TestDatabase } from '../../../support/postgres.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';

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
});
