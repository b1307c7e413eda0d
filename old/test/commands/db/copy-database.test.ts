import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/service/storage/databases.ts';
import { createTestSchema } from '../../support/postgres.ts';
import { findPostgresObstacle } from '../../support/postgres-cluster.ts';
import { createHome, runPetstore } from '../../support/run-program.ts';

const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

async function makeSource(): Promise<string> {
  const url = `sqlite:${path.join(await createHome(), 'petstore.db')}`;
  const store = await openStore(url, { isShared: true });
  await store.addPets([{ pet, idempotencyKey: 'key' }, { pet }], new Date());
  await store.close();
  return url;
}

/** A database that is not there, in the folder of the test. */
const missing = 'sqlite:<folder>/a.db';

describe('petstore db copy', () => {
  it('says what was copied, with checksums, and prints nothing on stdout', async () => {
    const from = await makeSource();
    const to = `sqlite:${path.join(await createHome(), 'copy.db')}`;
    const result = await runPetstore(['db', 'copy', '--from', from, '--to', to]);
    expect(result).toMatchObject({ exitCode: 0, stdout: '' });
    expect(result.stderr.replaceAll(/[0-9a-f]{12}/g, '…')).toBe(
      'Copied and compared, with checksums: 2 pets (…), 1 idempotency key (…), 0 API keys (…)\n',
    );
  });

  it('draws a bar on a screen', async () => {
    const from = await makeSource();
    const to = `sqlite:${path.join(await createHome(), 'copy.db')}`;
    const { stderr } = await runPetstore(['db', 'copy', '--from', from, '--to', to], { tty: true });
    expect(stderr).toContain('█  verifying idempotency keys: 1 of 1');
    expect(stderr).toContain('\nCopied and compared');
  });

  it('tells a script in JSON lines', async () => {
    const from = await makeSource();
    const to = `sqlite:${path.join(await createHome(), 'copy.db')}`;
    const { stderr } = await runPetstore(['db', 'copy', '--from', from, '--to', to, '--json']);
    expect(JSON.parse(stderr)).toMatchObject({
      ...{ type: 'notice', pets: 2, idempotencyKeys: 1, apiKeys: 0 },
      checksums: { pets: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it.skipIf(findPostgresObstacle())(
    'moves a store to PostgreSQL, and never shows its password',
    async () => {
      const { url, drop } = await createTestSchema();
      onTestFinished(drop);
      const password = new URL(url).password;
      const { exitCode, stderr } = await runPetstore([
        'db',
        'copy',
        '--from',
        await makeSource(),
        '--to',
        url,
      ]);
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('2 pets'),
      });
      const wrong = url.replace(password, 'not-the-password');
      const to = `sqlite:${path.join(await createHome(), 'copy.db')}`;
      const refused = await runPetstore(['db', 'copy', '--from', wrong, '--to', to]);
      expect(refused).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('password is wrong'),
      });
      expect(refused.stderr).not.toContain('not-the-password');
    },
  );

  it.skipIf(findPostgresObstacle())(
    'refuses one PostgreSQL database under two names, and leaves it as it is',
    async () => {
      const { url, drop } = await createTestSchema();
      onTestFinished(drop);
      const store = await openStore(url);
      onTestFinished(store.close);
      await store.addPets([{ pet, idempotencyKey: 'key' }], new Date());
      const argv = ['db', 'copy', '--from', url, '--to', `${url}&application_name=another`];
      const { exitCode, stderr } = await runPetstore(argv);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining('--from and --to must be two databases'),
      });
      const again = await store.addPets([{ pet, idempotencyKey: 'key' }], new Date());
      expect(again).toMatchObject([{ kind: 'replayed' }]);
    },
  );

  it.each([
    { argv: ['--from', missing, '--to', 'sqlite:<folder>/b.db'], says: 'There is no database at' },
    { argv: ['--from', missing, '--to', missing], says: 'name the same database' },
    {
      argv: ['--from', 'mysql://a/b', '--to', missing],
      says: 'The source of a copy must be sqlite:<path> or postgres://user@host/database, not a URL of mysql:',
    },
    {
      argv: ['--from', 'sqlite::memory:', '--to', missing],
      says: 'The source of a copy must be a file, not sqlite::memory:',
    },
    { argv: ['--from', missing], says: '--to' },
  ])('refuses $argv, exit 2', async ({ argv, says }) => {
    const folder = await createHome();
    const words = argv.map((word) => word.replace('<folder>', folder));
    const { exitCode, stderr } = await runPetstore(['db', 'copy', ...words]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(says) });
  });

  it('says how to go on when it is interrupted', async () => {
    const controller = new AbortController();
    controller.abort({ signal: 'SIGINT' });
    const to = `sqlite:${path.join(await createHome(), 'copy.db')}`;
    const argv = ['db', 'copy', '--from', await makeSource(), '--to', to];
    const stopped = await runPetstore(argv, { signal: controller.signal });
    expect(stopped).toMatchObject({
      exitCode: 130,
      stderr: expect.stringContaining('the same command continues from there'),
    });
    expect((await runPetstore(argv)).exitCode).toBe(0);
  });
});
