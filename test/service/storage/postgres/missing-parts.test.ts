import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../src/service/storage/databases.ts';
import { StoreDamagedError } from '../../../../src/service/storage/store.ts';
import { expectFailure, post } from '../../../support/http.ts';
import { createTestSchema } from '../../../support/postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { startService } from '../../../support/service.ts';

it
  .skipIf(findPostgresObstacle())
  .each([
    'DROP TABLE idempotency_keys',
    'ALTER TABLE pets DROP COLUMN added_by',
    'ALTER TABLE idempotency_keys DROP COLUMN pet_id',
  ])('the trial of a write fails as an add does after %s', async (sql) => {
  const { url, drop } = await createTestSchema();
  onTestFinished(drop);
  const store = await openStore(url);
  onTestFinished(store.close);
  await store.tryWrite();
  const operator = await connectClient(url);
  await operator.query(sql);
  await operator.end();
  await expect(store.tryWrite()).rejects.toThrow(StoreDamagedError);
});

const isMissing = (table: string) =>
  new RegExp(
    `a table is missing, or its user cannot see it \\(relation "${table}" does not exist\\): ` +
      'check search_path and the right USAGE on the schema; otherwise restore a backup',
  );

it.skipIf(findPostgresObstacle()).each([
  ['DROP TABLE pets', isMissing('pets'), ['db check', 'db audit']],
  ['DROP TABLE api_keys', isMissing('api_keys'), ['db check', 'keys list']],
  [
    'ALTER TABLE pets DROP COLUMN added_by',
    /it is damaged \(column "added_by" .*\): restore a backup/,
    ['db audit'],
  ],
])('a store in PostgreSQL is damaged after %s', async (sql, message, lines) => {
  const { url, drop } = await createTestSchema();
  onTestFinished(drop);
  const service = await startService({ database: url });
  onTestFinished(service.close);
  const operator = await connectClient(url);
  await operator.query(sql);
  await operator.end();
  expectFailure(await post(service, '{"name":"Rex","categoryId":7}'), 503, 'unavailable');
  for (const words of lines) {
    const line = [...words.split(' '), '--database', url];
    const { exitCode, stderr } = await runPetstore(line, { tty: true, columns: 300 });
    expect({ words, exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(message),
    });
  }
});
