import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, post } from '../support/http.ts';
import { makeFolder } from '../support/make-folder.ts';
import { makeKey } from '../support/make-key.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { connectClient } from '../support/postgres-client.ts';
import { findPostgresObstacle } from '../support/postgres-cluster.ts';
import { startServeProcess } from '../support/serve-process.ts';

const fixtures = path.join(import.meta.dirname, '../support/databases');

async function copySqlite(): Promise<string> {
  const file = path.join(await makeFolder(), 'petstore.db');
  await copyFile(path.join(fixtures, 'petstore-0.1.0.db'), file);
  return `sqlite:${file}`;
}

async function restorePostgres(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const client = await connectClient(url);
  await client.query(await readFile(path.join(fixtures, 'petstore-0.1.0.sql'), 'utf8'));
  await client.end();
  return url;
}

describe.each([
  ['SQLite', copySqlite, 1, false],
  ['PostgreSQL', restorePostgres, 2, findPostgresObstacle() !== undefined],
] as const)('a %s database of petstore 0.1.0', (_engine, restore, serving, isSkipped) => {
  it.skipIf(isSkipped)(
    'is updated once by two processes that start to serve it at once',
    async () => {
      const database = await restore();
      const started = await Promise.allSettled([
        startServeProcess({ database }),
        startServeProcess({ database }),
      ]);
      const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      for (const { stop } of running) onTestFinished(() => stop().then(() => {}));
      expect(running).toHaveLength(serving);
      for (const one of started)
        if (one.status === 'rejected')
          expect(String(one.reason)).toContain('Another petstore serve is using the database');
      const key = makeKey(database);
      for (const { url } of running) {
        expect((await call({ url, key }, '/pets?limit=6')).body).toHaveLength(6);
        expect((await post({ url, key }, '{"name":"New","categoryId":1}')).status).toBe(201);
      }
    },
  );
});
