import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../src/service/storage/databases.ts';
import { StoreDamagedError } from '../../../../src/service/storage/store.ts';
import { call, expectFailure, post } from '../../../support/http.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { startService } from '../../../support/service.ts';

/** A database with a store in it, and how to run SQL on it as somebody who does not know better. */
async function createDatabase() {
  const file = path.join(await makeFolder(), 'petstore.db');
  await (await openStore(`sqlite:${file}`, { isShared: true })).close();
  return { file, url: `sqlite:${file}`, execute: (sql: string) => execute(file, sql) };
}

function execute(file: string, sql: string) {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec(sql);
  database.close();
}

/** Too wide for any message to be folded. */
const run = (url: string, words: string) =>
  runPetstore([...words.split(' '), '--database', url], { tty: true, columns: 300 });

/** Every table of a new store, and the columns that SQLite renames. */
const tables = {
  pets: ['id', 'name', 'category_id', 'status', 'json', 'added_by', 'added_at'],
  idempotency_keys: ['key', 'pet_id', 'created_at'],
  api_keys: [
    ...['id', 'hash', 'name', 'created_at', 'last_used_at', 'expires_at', 'revoked_at', 'access'],
  ],
  write_trial: ['id', 'filler'],
};
const indexes = ['pets_by_status', 'idempotency_keys_by_age'];

const losses = [
  ...indexes.map((index) => ({ part: `index ${index}`, sql: `DROP INDEX ${index}` })),
  ...Object.entries(tables).flatMap(([table, columns]) => [
    { part: `table ${table}`, sql: `DROP TABLE ${table}` },
    ...columns.map((column) => ({
      part: `column ${table}.${column}`,
      sql: `ALTER TABLE ${table} RENAME COLUMN ${column} TO gone`,
    })),
  ]),
];

describe('a database that lacks a table, column or index', () => {
  it.each(losses)('is damaged, says `db check`: $part', async ({ part, sql }) => {
    const { file, url, execute } = await createDatabase();
    execute(sql);
    const { exitCode, stderr } = await run(url, 'db check');
    expect({ exitCode, stderr: stderr.replaceAll('\r\n', '\n') }).toEqual({
      exitCode: 2,
      stderr: `Error: The database ${file} is damaged (its ${part} is missing): restore a backup\n`,
    });
  });

  it.each([
    ['DROP TABLE write_trial', 'table write_trial'],
    ['DROP TABLE pets', 'table pets'],
    ['ALTER TABLE pets DROP COLUMN added_by', 'column pets.added_by'],
    ['ALTER TABLE api_keys DROP COLUMN access', 'column access'],
  ])('is refused by everything that opens it: %s', async (sql, part) => {
    const { url, execute } = await createDatabase();
    execute(sql);
    const reason = `is damaged (its ${part} is missing): restore a backup`;
    for (const words of ['keys list', 'keys create --name till', 'db audit', 'serve --port 0']) {
      const { exitCode, stderr } = await run(url, words);
      expect({ words, exitCode, stderr }).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(reason),
      });
    }
  });

  it('is not taken for an older one by a version below zero', async () => {
    const { url, execute } = await createDatabase();
    execute('DROP TABLE write_trial; PRAGMA user_version = -1');
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

  it('is no backup', async () => {
    const { file, url, execute } = await createDatabase();
    execute('DROP TABLE write_trial');
    const { exitCode, stderr } = await run(url, `db backup ${file}.backup`);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('its table write_trial is missing'),
    });
  });

  it('is not one that an older petstore wrote, which had fewer of them', async () => {
    const file = path.join(await makeFolder(), 'old.db');
    const fixtures = path.join(import.meta.dirname, '../../../support/databases');
    await copyFile(path.join(fixtures, 'petstore-0.1.0.db'), file);
    expect((await run(`sqlite:${file}`, 'db check')).stderr).toContain('is whole: 6 pets');
    execute(file, 'ALTER TABLE pets RENAME COLUMN json TO gone');
    expect((await run(`sqlite:${file}`, 'db check')).stderr).toContain('pets.json is missing');
  });
});

it.each([
  'DROP TABLE idempotency_keys',
  'DROP TABLE pets',
  'DROP TABLE write_trial',
  'ALTER TABLE pets DROP COLUMN added_by',
  'ALTER TABLE idempotency_keys RENAME COLUMN pet_id TO gone',
])('the trial of a write fails as an add does after %s', async (sql) => {
  const { url, execute } = await createDatabase();
  const store = await openStore(url);
  onTestFinished(store.close);
  await store.tryWrite();
  execute(sql);
  await expect(store.tryWrite()).rejects.toThrow(StoreDamagedError);
  await expect(store.tryWrite()).rejects.toThrow('is missing');
});

it('the trial of a write leaves no pet and no idempotency key', async () => {
  const { file, url } = await createDatabase();
  const store = await openStore(url);
  await store.tryWrite();
  await store.close();
  const database = new DatabaseSync(file);
  for (const table of ['pets', 'idempotency_keys']) {
    const { count } = database.prepare(`SELECT count(*) AS count FROM ${table}`).get() ?? {};
    expect(count).toBe(0);
  }
  database.close();
});

it('a table or column that is dropped under a running service is a 503 where it is needed', async () => {
  const { url, execute } = await createDatabase();
  const service = await startService({ database: url });
  onTestFinished(service.close);
  const rex = '{"name":"Rex","categoryId":7}';
  expect((await post(service, rex)).status).toBe(201);
  execute('DROP TABLE idempotency_keys');
  expectFailure(await post(service, rex, { 'idempotency-key': 'one' }), 503, 'unavailable');
  expect((await call(service, '/pets/1')).status).toBe(200);
  execute('ALTER TABLE pets RENAME COLUMN json TO gone');
  // Reads share a snapshot for some milliseconds.
  const list = () => call(service, '/pets?limit=7');
  await expect.poll(async () => (await list()).status).toBe(503);
  expectFailure(await list(), 503, 'unavailable');
});
