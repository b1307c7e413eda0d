import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { maskDatabaseUrl } from '../../../../src/service/storage/database-engine.ts';
import { openStore } from '../../../../src/service/storage/databases.ts';
import {
  findMissingColumn,
  findMissingPart,
} from '../../../../src/service/storage/postgres/schema/missing-parts.ts';
import { listParts, NEWEST } from '../../../../src/service/storage/postgres/schema/steps.ts';
import { StoreDamagedError } from '../../../../src/service/storage/store.ts';
import { expectFailure, post } from '../../../support/http.ts';
import { createTestSchema } from '../../../support/postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { startService } from '../../../support/service.ts';

/** A schema with a store in it, and a connection to it of somebody who does not know better. */
async function createDatabase() {
  const { url, drop } = await createTestSchema();
  onTestFinished(drop);
  await (await openStore(url)).close();
  return { url, operator: await connectClient(url) };
}

/** Too wide for any message to be folded. */
const run = (url: string, words: string) =>
  runPetstore([...words.split(' '), '--database', url], { tty: true, columns: 400 });

/** Commands that read, change and serve the database all refuse it for this reason. */
async function expectRefused(url: string, reason: string): Promise<void> {
  for (const words of ['keys list', 'db migrate', 'serve --port 0']) {
    const { exitCode, stderr } = await run(url, words);
    expect({ words, exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(reason),
    });
  }
}

const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

const LossRows = v.array(v.object({ part: v.string(), sql: v.string() }));

/** What somebody lost, as PostgreSQL's catalog lists it, and how. */
const selectLosses = `
  SELECT 'table ' || table_name AS part, format('ALTER TABLE %I RENAME TO gone', table_name) AS sql
  FROM information_schema.tables WHERE table_schema = current_schema()
  UNION ALL
  SELECT format('column %s.%s', table_name, column_name),
    format('ALTER TABLE %I RENAME COLUMN %I TO gone', table_name, column_name)
  FROM information_schema.columns WHERE table_schema = current_schema()
  UNION ALL
  SELECT 'index ' || indexname, format('ALTER INDEX %I RENAME TO gone', indexname)
  FROM pg_indexes WHERE schemaname = current_schema()`;

const losses = [
  ['DROP TABLE pets', 'table pets'],
  ['DROP TABLE id_counters', 'table id_counters'],
  ['ALTER TABLE pets DROP COLUMN added_by', 'column pets.added_by'],
  ['ALTER TABLE api_keys RENAME COLUMN access TO gone', 'column api_keys.access'],
] as const;

describe.skipIf(findPostgresObstacle())('a store in PostgreSQL that lacks a part', () => {
  it('is damaged, whichever table, column or index it is', async () => {
    const { operator } = await createDatabase();
    const { rows } = await operator.query(selectLosses);
    const losses = v.parse(LossRows, rows);
    expect(losses).toHaveLength(5 + 21 + 8);
    for (const { part, sql } of losses) {
      await operator.query('BEGIN');
      await operator.query(sql);
      const column = await findMissingColumn(operator, listParts(NEWEST));
      const found = await findMissingPart(operator, listParts(NEWEST));
      await operator.query('ROLLBACK');
      const isIndex = part.startsWith('index');
      expect({ column, found }).toEqual({ column: isIndex ? undefined : part, found: part });
    }
    expect(await findMissingPart(operator, listParts(NEWEST))).toBeUndefined();
  });

  it.each(losses)('is refused by everything that opens it: %s', async (sql, part) => {
    const { url, operator } = await createDatabase();
    await operator.query(sql);
    const lines = ['db check', 'db migrate', 'db audit', 'keys list', 'keys create --name till'];
    for (const words of [...lines, 'serve --port 0']) {
      const { exitCode, stderr } = await run(url, words);
      expect({ words, exitCode, stderr }).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(`damaged (its ${part} is missing): restore a backup`),
      });
    }
  });

  it.each([
    ['DROP INDEX pets_by_status', 'index pets_by_status'],
    ['DROP TABLE petstore_schema', 'table petstore_schema'],
    ['DELETE FROM petstore_schema', 'schema version'],
    ["DELETE FROM id_counters WHERE name = 'api_keys'", 'counter of ids'],
  ])('is damaged, says `db check`: %s', async (sql, part) => {
    const { url, operator } = await createDatabase();
    await operator.query(sql);
    const { exitCode, stderr } = await run(url, 'db check');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `Error: The database ${maskDatabaseUrl(url)} is damaged (its ${part} is missing): restore a backup\n`,
    });
  });

  it('works without an index', async () => {
    const { url, operator } = await createDatabase();
    await operator.query('DROP INDEX pets_by_status');
    expect(await run(url, 'keys list')).toMatchObject({ exitCode: 0 });
  });

  it('is not changed when its version is lost', async () => {
    const { url, operator } = await createDatabase();
    await operator.query('DROP TABLE petstore_schema');
    await expectRefused(
      url,
      'it has a table of this name already (relation "id_counters" already exists): give petstore a database',
    );
    const { rows } = await operator.query("SELECT to_regclass('petstore_schema') AS found");
    expect(rows).toEqual([{ found: null }]);
  });

  it('is not taken for an older one by a version below zero', async () => {
    const { url, operator } = await createDatabase();
    await operator.query('UPDATE petstore_schema SET version = -1');
    for (const words of ['db check', 'keys list', 'serve --port 0']) {
      const { exitCode, stderr } = await run(url, words);
      expect({ words, exitCode, stderr }).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(
          'has schema version -1, which no petstore writes: restore a backup',
        ),
      });
    }
  });

  it('is not one that an older petstore wrote, which had fewer of them', async () => {
    const { url, operator } = await createDatabase();
    await operator.query(`UPDATE petstore_schema SET version = 1;
      ALTER TABLE pets DROP COLUMN added_by, DROP COLUMN added_at;
      ALTER TABLE api_keys DROP COLUMN access`);
    expect((await run(url, 'db check')).stderr).toContain('is whole: 0 pets');
    await operator.query('ALTER TABLE pets RENAME COLUMN status TO gone');
    expect((await run(url, 'db check')).stderr).toContain('its column pets.status is missing');
  });

  it.each([
    ...losses.map(([sql]) => sql),
    'DROP TABLE idempotency_keys',
    'ALTER TABLE idempotency_keys DROP COLUMN pet_id',
    'ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey',
    "DELETE FROM id_counters WHERE name = 'pets'",
  ])('fails the trial of a write as it does an add after %s', async (sql) => {
    const { url, operator } = await createDatabase();
    const store = await openStore(url);
    onTestFinished(store.close);
    const add = () => store.addPets([{ pet, idempotencyKey: 'one' }], new Date());
    await store.tryWrite();
    await operator.query(sql);
    if (sql.includes('api_keys')) return await expectDamage(store.findKey(new Uint8Array(32)));
    await expectDamage(add());
    await expectDamage(store.tryWrite());
  });

  it('fails adds by its counter of ids also while used idempotency keys are expected', async () => {
    const { url, operator } = await createDatabase();
    const store = await openStore(url);
    onTestFinished(store.close);
    const add = (idempotencyKey: string) => store.addPets([{ pet, idempotencyKey }], new Date());
    await add('one');
    expect(await add('one')).toMatchObject([{ kind: 'replayed' }]);
    await operator.query("DELETE FROM id_counters WHERE name = 'pets'");
    await expectDamage(add('two'));
  });

  it('is refused, and not changed, when the row with its version is lost', async () => {
    const { url, operator } = await createDatabase();
    await operator.query('DELETE FROM petstore_schema');
    await expectRefused(url, 'damaged (its schema version is missing): restore a backup');
    const { rows } = await operator.query('SELECT * FROM petstore_schema');
    expect(rows).toEqual([]);
  });

  it('is a 503 for an add', async () => {
    const { url, operator } = await createDatabase();
    const service = await startService({ database: url });
    onTestFinished(service.close);
    await operator.query('ALTER TABLE pets DROP COLUMN added_by');
    expectFailure(await post(service, '{"name":"Rex","categoryId":7}'), 503, 'unavailable');
  });
});

const expectDamage = (work: Promise<unknown>) => expect(work).rejects.toThrow(StoreDamagedError);
