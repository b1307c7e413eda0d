import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, expectFailure, post } from '../../support/http.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { connectClient } from '../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../support/postgres-cluster.ts';
import { runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

const fixtures = path.join(import.meta.dirname, '../../support/databases');

/** What petstore 0.1.0 stored in each of them, as it sent it. */
const pets = `[${[
  '{"id":1,"name":"Rex","categoryId":7,"status":"available"}',
  '{"id":2,"name":"Bella \\"the bell\\"","categoryId":1,"status":"pending"}',
  '{"id":3,"name":"𝒫🐕‍🦺 é","categoryId":3,"status":"sold"}',
  `{"id":4,"name":"Rob'); DROP TABLE pets; --","categoryId":2,"status":"available"}`,
  '{"id":5,"name":"Least","categoryId":-9223372036854775808,"status":"available"}',
  '{"id":6,"name":"Greatest","categoryId":9223372036854775807,"status":"sold"}',
].join()}]`;

/** While its idempotency keys are honored. */
const now = () => new Date('2026-11-22T12:00:00Z');

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
  ['SQLite', copySqlite, false],
  ['PostgreSQL', restorePostgres, findPostgresObstacle() !== undefined],
] as const)('a %s database of petstore 0.1.0', (_engine, restore, isSkipped) => {
  it.skipIf(isSkipped)('is served with every pet, idempotency key and id', async () => {
    const database = await restore();
    // Twice: once it is brought to the schema of today, then it is one of today.
    for (const id of [7, 8]) {
      const service = await startService({ database, overrides: { now } });
      onTestFinished(service.close);
      expect((await call(service, '/pets?limit=6')).text).toBe(pets);
      const first = { 'idempotency-key': 'key-1' };
      const replayed = await post(service, '{"name":"Rex","categoryId":7}', first);
      expect(replayed).toMatchObject({ status: 201, body: { id: 1 } });
      expect(replayed.headers.get('idempotency-replayed')).toBe('true');
      const other = await post(service, '{"name":"Max","categoryId":7}', first);
      expectFailure(other, 422, 'idempotency_mismatch');
      const added = await post(service, '{"name":"New","categoryId":1}');
      expect(added).toMatchObject({ status: 201, body: { id } });
      await service.close();
    }
  });

  it.skipIf(isSkipped)(
    'is served by two that start at once, or by the one that was first',
    async () => {
      const database = await restore();
      const started = await Promise.allSettled([
        startService({ database, overrides: { now } }),
        startService({ database, overrides: { now } }),
      ]);
      const services = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      for (const { close } of services) onTestFinished(close);
      const reasons = started.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      for (const reason of reasons)
        expect(String(reason)).toContain('another petstore serve is using the database');
      expect(reasons).toHaveLength(database.startsWith('sqlite:') ? 1 : 0);
      for (const service of services) {
        expect((await call(service, '/pets?limit=6')).text).toBe(pets);
        expect((await post(service, '{"name":"New","categoryId":1}')).status).toBe(201);
      }
    },
  );

  it.skipIf(isSkipped)(
    'does not know who added its pets, and when, but of later ones',
    async () => {
      const database = await restore();
      const service = await startService({ database, overrides: { now } });
      onTestFinished(service.close);
      await post(service, '{"name":"New","categoryId":1}');
      const records = await service.store.readAudit({ after: 0n, limit: 100 });
      const unknown = { keyId: undefined, addedAt: undefined };
      expect(records).toMatchObject([
        ...Array.from({ length: 6 }, () => unknown),
        { id: 7n, keyId: 4n, addedAt: now() },
      ]);
    },
  );

  it.skipIf(isSkipped)('has every API key as it was', async () => {
    const database = await restore();
    const { stdout } = await runPetstore(['keys', 'list', '--json'], {
      env: { PETSTORE_SERVE_DATABASE: database },
    });
    expect(JSON.parse(stdout)).toMatchObject([
      {
        id: 1,
        name: 'till-1',
        access: 'write',
        lastUsedAt: expect.stringMatching(/^2026-11-22/),
        revokedAt: null,
      },
      { id: 2, name: 'revoked', state: 'revoked', lastUsedAt: null },
      { id: 3, name: 'expiring', expiresAt: expect.stringMatching(/^2026-12-22/) },
    ]);
  });
});

it('a SQLite database of petstore 0.1.0 is from then on recognized by its application id', async () => {
  const database = await copySqlite();
  await startService({ database }).then(({ close }) => close());
  const file = new DatabaseSync(database.replace('sqlite:', ''));
  onTestFinished(() => file.close());
  expect(file.prepare('PRAGMA application_id').get()).toEqual({ application_id: 0x50455453 });
});
