import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/service/storage/databases.ts';
import { post } from '../../support/http.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { createTestSchema } from '../../support/postgres.ts';
import { findPostgresObstacle } from '../../support/postgres-cluster.ts';
import { runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

async function makeSqlite(): Promise<string> {
  return `sqlite:${await makeFolder()}/petstore.db`;
}

async function makePostgres(): Promise<string> {
  const { url, drop } = await createTestSchema();
  onTestFinished(drop);
  return url;
}

const engines = [
  ['SQLite', makeSqlite],
  ...(findPostgresObstacle() === undefined ? ([['PostgreSQL', makePostgres]] as const) : []),
] as const;

/** A store in which two tills and nobody known have added a pet each, an hour after each other. */
async function openStoreWithAdds(makeDatabase: () => Promise<string>) {
  const database = await makeDatabase();
  const run = (line: string, clock = new Date('2026-11-20T12:00:00Z')) =>
    runPetstore(line.split(' '), { clock, env: { PETSTORE_SERVE_DATABASE: database } });
  const tills = [
    (await run('keys create --new --name till-3')).stdout.trim(),
    (await run('keys create --name till-4')).stdout.trim(),
  ];
  let hour = 8;
  const now = () => new Date(Date.UTC(2026, 10, 20, hour));
  const service = await startService({ database, overrides: { now } });
  onTestFinished(service.close);
  await service.store.addPets(
    [{ pet: { name: 'Old', categoryId: 1n, status: 'sold' } }],
    new Date('2026-11-20T07:00:00Z'),
  );
  for (const key of tills) {
    await post({ ...service, key }, `{"name":"Rex ${hour}","categoryId":7}`);
    hour += 1;
  }
  return { run, database };
}

describe.each(engines)('petstore db audit on %s', (_, makeDatabase) => {
  it('says which key added each pet, and when, beside the running service', async () => {
    const { run } = await openStoreWithAdds(makeDatabase);
    const { stdout, stderr, exitCode } = await run('db audit');
    expect(stdout).toBe(
      [
        'ID  NAME   CATEGORY  STATUS     KEY      ADDED',
        ' 1  Old           1  sold       unknown  2026-11-20T07:00:00.000Z',
        ' 2  Rex 8         7  available  till-3   2026-11-20T08:00:00.000Z',
        ' 3  Rex 9         7  available  till-4   2026-11-20T09:00:00.000Z',
        '',
      ].join('\n'),
    );
    expect(stderr).toMatch(/^3 pets in /);
    expect(exitCode).toBe(0);
  });

  it('finds by pet, by name of the key and by time', async () => {
    const { run } = await openStoreWithAdds(makeDatabase);
    const ids = async (flags: string) => (await run(`db audit --quiet ${flags}`)).stdout;
    expect(await ids('--pet 2')).toBe('2\n');
    expect(await ids('--key till-3')).toBe('2\n');
    expect(await ids('--since 4h')).toBe('2\n3\n');
    expect(await ids('--since 3h --key till-4')).toBe('3\n');
    expect(await ids('--since 1h')).toBe('');
    await run('keys rotate 1', new Date('2026-11-20T12:00:00Z'));
    expect(await ids('--key till-3')).toBe('2\n');
  });

  it.each([
    ['--pet 4711', 'There is no pet 4711 in '],
    ['--pet -1', 'There is no pet -1 in '],
    ['--key till-9', 'There is no key named "till-9" in '],
  ])('says that there is no %s, exit 5', async (flags, message) => {
    const { run } = await openStoreWithAdds(makeDatabase);
    const { stdout, stderr, exitCode } = await run(`db audit ${flags}`);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    expect(stderr).toContain(message);
  });

  it('is carried along by db copy', async () => {
    const { run, database } = await openStoreWithAdds(makeSqlite);
    const other = await makeDatabase();
    const copyable = `${await makeSqlite()}`;
    await run(`db backup ${copyable.replace('sqlite:', '')} --database ${database}`);
    expect((await run(`db copy --from ${copyable} --to ${other}`)).exitCode).toBe(0);
    const audit = async (url: string) => (await run(`db audit --json --database ${url}`)).stdout;
    expect(await audit(other)).toBe(await audit(database));
  });
});

describe('petstore db audit', () => {
  it('reads a store of any size in groups', async () => {
    const database = await makeSqlite();
    const store = await openStore(database, { isShared: true });
    const pet = { name: 'Rex', categoryId: 7n, status: 'sold' as const };
    await store.addPets(
      Array.from({ length: 2_000 }, () => ({ pet })),
      new Date(),
    );
    await store.close();
    const { stdout } = await runPetstore(['db', 'audit', '-q', '--database', database]);
    expect(stdout.trim().split('\n')).toHaveLength(2_000);
  });

  it('creates no database', async () => {
    const { exitCode, stderr } = await runPetstore([
      ...['db', 'audit', '--database', await makeSqlite()],
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('There is no database sqlite:');
  });

  it('refuses --pet with --key or --since, which could only hide it', async () => {
    for (const flag of ['--key till-3', '--since 1d'])
      expect((await runPetstore(`db audit --pet 1 ${flag}`.split(' '))).exitCode).toBe(2);
  });
});
