import { expect, it, onTestFinished } from 'vitest';
import { expectFailure, post } from '../../../support/http.ts';
import { createTestSchema } from '../../../support/postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { startService } from '../../../support/service.ts';

it.skipIf(findPostgresObstacle()).each([
  ['DROP TABLE pets', 'relation "pets" does not exist', ['db check', 'db audit']],
  ['DROP TABLE api_keys', 'relation "api_keys" does not exist', ['db check', 'keys list']],
  ['ALTER TABLE pets DROP COLUMN added_by', 'column "added_by" ', ['db audit']],
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
      stderr: expect.stringMatching(/it is damaged.*: restore a backup/),
    });
    expect(stderr).toContain(message);
  }
});
