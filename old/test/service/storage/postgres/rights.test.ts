import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../../src/service/storage/postgres/open-postgres-store.ts';
import { StoreUnavailableError } from '../../../../src/service/storage/store.ts';
import { createTestDatabase } from '../../../support/postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';

const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

/** A database, empty or with a store, and a role that may do in it what the operator grants. */
async function openSite({ isEmpty = false } = {}) {
  const database = await createTestDatabase();
  const role = `clerk_${randomBytes(6).toString('hex')}`;
  const operator = await connectClient(database.url);
  await operator.query(`CREATE ROLE ${role} LOGIN PASSWORD 'for-this-test'`);
  onTestFinished(async () => {
    await operator.query(`DROP OWNED BY ${role}`);
    await operator.query(`DROP ROLE ${role}`);
    await operator.end();
    await database.drop();
  });
  if (!isEmpty) await (await openPostgresStore(database.url)).close();
  const url = Object.assign(new URL(database.url), { username: role, password: 'for-this-test' });
  const open = async () => {
    const store = await openPostgresStore(url.href);
    onTestFinished(store.close);
    return store;
  };
  return { role, open, execute: (sql: string) => operator.query(sql) };
}

describe.skipIf(findPostgresObstacle())('a role in PostgreSQL', () => {
  it('serves without the right to create or alter a table', async () => {
    const { role, open, execute } = await openSite();
    const grant = `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`;
    await expect(open()).rejects.toThrow(`may not read the tables: ${grant}`);
    await execute(grant);
    const store = await open();
    await store.checkReady();
    await store.tryWrite();
    expect(await store.addPets([{ pet, idempotencyKey: 'k' }], new Date())).toHaveLength(1);
  });

  it('without that right is told which column is missing', async () => {
    const { role, open, execute } = await openSite();
    await execute(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    await execute('ALTER TABLE pets DROP COLUMN added_by');
    await expect(open()).rejects.toThrow('its column pets.added_by is missing');
  });

  it('without that right is told that the version is missing', async () => {
    const { role, open, execute } = await openSite();
    await execute(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    await execute('DELETE FROM petstore_schema');
    await expect(open()).rejects.toThrow('its schema version is missing');
  });

  it('that may only read does that, and says which right an add needs', async () => {
    const { role, open, execute } = await openSite();
    await execute(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    const store = await open();
    expect(await store.listPets({ after: 0n, limit: 1 })).toMatchObject({ json: '[]' });
    const missing = `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`;
    await expect(store.checkReady()).rejects.toThrow(missing);
    for (const write of [
      () => store.addPets([{ pet }], new Date()),
      () => store.tryWrite(),
      () => store.createKey({ hash: new Uint8Array(32), name: 'till', createdAt: new Date() }),
    ]) {
      const error = await write().catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(String(error)).toContain('its user lacks a right: GRANT SELECT, INSERT');
    }
    await execute(missing);
    await store.checkReady();
  });

  it('that may create no table learns of db migrate, not of a right it has', async () => {
    const { role, open } = await openSite({ isEmpty: true });
    await expect(open()).rejects.toThrow(
      `its user ${role} may not create them: run petstore db migrate`,
    );
  });

  it('that may not change an older table learns of db migrate too', async () => {
    const { role, open, execute } = await openSite();
    await execute(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    await execute('UPDATE petstore_schema SET version = 0');
    await expect(open()).rejects.toThrow('run petstore db migrate as their owner');
  });
});
