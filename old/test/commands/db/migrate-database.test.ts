import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestSchema } from '../../support/postgres.ts';
import { findPostgresObstacle } from '../../support/postgres-cluster.ts';
import { createHome, runPetstore } from '../../support/run-program.ts';

describe('petstore db migrate', () => {
  it('creates the tables once, and prints nothing on stdout', async () => {
    const url = `sqlite:${path.join(await createHome(), 'petstore.db')}`;
    const migrate = () => runPetstore(['db', 'migrate', '--database', url]);
    expect(await migrate()).toEqual({
      ...{ exitCode: 0, stdout: '' },
      stderr: `Created the tables in ${url}\n`,
    });
    expect(await migrate()).toMatchObject({ stderr: `${url} has the tables of this version\n` });
  });

  it('tells a script in JSON lines', async () => {
    const url = `sqlite:${path.join(await createHome(), 'petstore.db')}`;
    const { stderr } = await runPetstore(['db', 'migrate', '--database', url, '--json']);
    expect(JSON.parse(stderr)).toEqual({
      ...{ type: 'notice', message: `Created the tables in ${url}` },
      ...{ database: url, created: true },
    });
  });

  it.skipIf(findPostgresObstacle())('never shows a password', async () => {
    const { url, drop } = await createTestSchema();
    onTestFinished(drop);
    const env = { PETSTORE_SERVE_DATABASE: url };
    const { exitCode, stderr } = await runPetstore(['db', 'migrate'], { env });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^Created the tables in postgres:\/\/petstore:…@/);
    expect(stderr).not.toContain(new URL(url).password);
  });
});
