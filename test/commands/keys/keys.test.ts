import { readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isApiKey } from '../../../src/contract/api-key.ts';
import { hasStore, openStore } from '../../../src/service/storage/databases.ts';
import { call, post } from '../../support/http.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { createTestSchema } from '../../support/postgres.ts';
import { findPostgresObstacle } from '../../support/postgres-cluster.ts';
import { type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

const clock = new Date('2026-11-20T12:00:00.000Z');

async function createDatabase(name = 'petstore.db'): Promise<string> {
  const database = `sqlite:${await makeFolder()}/${name}`;
  const store = await openStore(database);
  await store.close();
  return database;
}

/** A database of its own, and the program on it. */
async function openDatabase() {
  const database = await createDatabase();
  return {
    database,
    run: (words: string[], options: RunOptions = {}) =>
      runPetstore(words, { clock, ...options, env: { PETSTORE_SERVE_DATABASE: database } }),
  };
}

describe('petstore keys create', () => {
  it('prints the key alone, once, and says so on stderr', async () => {
    const { run, database } = await openDatabase();
    const { stdout, stderr, exitCode } = await run(['keys', 'create', '--name', 'till-3']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^pst_\w+\n$/);
    expect(isApiKey(stdout.trim())).toBe(true);
    expect(stderr).toBe(`Created key 1 ("till-3") in ${database}. It is not shown again.\n`);
    for (const format of ['table', 'json', 'csv', 'ndjson'])
      expect((await run(['keys', 'list', '-o', format])).stdout).not.toContain(stdout.trim());
  });

  it('creates keys that a service on the same database accepts, running or not', async () => {
    const { run, database } = await openDatabase();
    const before = await run(['keys', 'create', '--name', 'before']);
    const service = await startService({ database });
    onTestFinished(service.close);
    const during = await run(['keys', 'create', '--name', 'during', '--quiet']);
    for (const { stdout } of [before, during])
      expect((await call({ ...service, key: stdout.trim() }, '/pets')).status).toBe(200);
  });

  it('prints an object with --json', async () => {
    const { run } = await openDatabase();
    const { stdout } = await run([
      'keys',
      'create',
      '--name',
      'audit',
      '--expires',
      '30d',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toEqual({
      id: 1,
      name: 'audit',
      access: 'write',
      createdAt: '2026-11-20T12:00:00.000Z',
      expiresAt: '2026-12-20T12:00:00.000Z',
      key: expect.stringMatching(/^pst_/),
    });
  });

  it.each([
    [['keys', 'create'], 'Missing: --name <label>'],
    [['keys', 'create', '--name', ' '], 'write 1 to 100 characters'],
    [['keys', 'create', '--name', 'a', '--expires', 'soon'], 'write a number and its unit'],
  ])('%j is a usage error', async (words, message) => {
    const { run } = await openDatabase();
    const { stdout, stderr, exitCode } = await run(words);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain('Try:  petstore keys create --help');
  });
});

describe('petstore keys list', () => {
  it('shows every key with its state, oldest first', async () => {
    const { run } = await openDatabase();
    await run(['keys', 'create', '--name', 'till']);
    await run(['keys', 'create', '--name', 'audit', '--access', 'read', '--expires', '1h']);
    await run(['keys', 'create', '--name', 'ci']);
    await run(['keys', 'revoke', '1'], { clock: new Date('2026-11-20T12:30:00.000Z') });
    const later = { clock: new Date('2026-11-20T13:00:00.000Z') };
    const { stdout } = await run(['keys', 'list'], later);
    expect(stdout).toBe(
      [
        'ID  NAME   ACCESS  STATE    CREATED                   LAST USED  ENDS                      REVOKED',
        '1   till   write   revoked  2026-11-20T12:00:00.000Z  -          -                         2026-11-20T12:30:00.000Z',
        '2   audit  read    expired  2026-11-20T12:00:00.000Z  -          2026-11-20T13:00:00.000Z  -',
        '3   ci     write   active   2026-11-20T12:00:00.000Z  -          -                         -',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await run(['keys', 'list', '--json'], later)).stdout)[1]).toEqual({
      id: 2,
      name: 'audit',
      access: 'read',
      state: 'expired',
      createdAt: '2026-11-20T12:00:00.000Z',
      lastUsedAt: null,
      expiresAt: '2026-11-20T13:00:00.000Z',
      revokedAt: null,
    });
    expect((await run(['keys', 'list', '-q'])).stdout).toBe('1\n2\n3\n');
  });

  it('shows nothing of a name that a terminal would act on', async () => {
    const { run } = await openDatabase();
    await run(['keys', 'create', '--name', 'ev\u202eil\u001b[2J']);
    for (const format of ['table', 'json'])
      expect((await run(['keys', 'list', '-o', format])).stdout).not.toMatch(/[\u202e\u001b]/);
  });

  it('shows when a key was last used, once the service has written it', async () => {
    const { run, database } = await openDatabase();
    const { stdout } = await run(['keys', 'create', '--name', 'till']);
    const now = () => new Date('2026-11-20T12:34:56.000Z');
    const service = await startService({ database, overrides: { now } });
    await call({ ...service, key: stdout.trim() }, '/pets');
    await service.close();
    const listed = JSON.parse((await run(['keys', 'list', '--json'])).stdout);
    expect(listed[0].lastUsedAt).toBe('2026-11-20T12:34:56.000Z');
  });
});

describe('petstore keys create --access', () => {
  it('makes a key that cannot add', async () => {
    const { run, database } = await openDatabase();
    const { stdout } = await run(['keys', 'create', '--name', 'audit', '--access', 'read']);
    const service = await startService({ database });
    onTestFinished(service.close);
    const reader = { ...service, key: stdout.trim() };
    expect((await call(reader, '/pets')).status).toBe(200);
    expect((await post(reader, '{"name":"Rex","categoryId":7}')).status).toBe(403);
  });

  it('is read or write', async () => {
    const { run } = await openDatabase();
    const words = ['keys', 'create', '--name', 'a', '--access', 'admin'];
    expect(await run(words)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('petstore keys rotate', () => {
  it('creates a key of the same name, access and lifetime, and lets the old one end', async () => {
    const { run, database } = await openDatabase();
    await run(['keys', 'create', '--name', 'audit', '--access', 'read', '--expires', '30d']);
    const later = { clock: new Date('2026-11-25T12:00:00.000Z') };
    const { stdout, stderr, exitCode } = await run(['keys', 'rotate', '1', '--grace', '7d'], later);
    expect(exitCode).toBe(0);
    expect(isApiKey(stdout.trim())).toBe(true);
    expect(stderr).toBe(
      `Created key 2 ("audit") in ${database}. It is not shown again. It ends on 2026-12-25T12:00:00.000Z. It replaces key 1, which ends on 2026-12-02T12:00:00.000Z.\n`,
    );
    expect(JSON.parse((await run(['keys', 'list', '--json'])).stdout)).toMatchObject([
      { id: 1, access: 'read', expiresAt: '2026-12-02T12:00:00.000Z' },
      { id: 2, name: 'audit', access: 'read', expiresAt: '2026-12-25T12:00:00.000Z' },
    ]);
  });

  it('lets both work during the grace period, and only the new one after it', async () => {
    const { run, database } = await openDatabase();
    const old = (await run(['keys', 'create', '--name', 'till'])).stdout.trim();
    const created = (await run(['keys', 'rotate', '1', '--grace', '1h'])).stdout.trim();
    let now = clock;
    const service = await startService({ database, overrides: { now: () => now } });
    onTestFinished(service.close);
    const ask = async (key: string) => (await call({ ...service, key }, '/pets')).status;
    expect([await ask(old), await ask(created)]).toEqual([200, 200]);
    now = new Date(clock.getTime() + 3_600_000);
    await expect.poll(() => ask(old), { interval: 20, timeout: 1_000 }).toBe(401);
    expect(await ask(created)).toBe(200);
  });

  it('never lets a key end later than it would have', async () => {
    const { run } = await openDatabase();
    await run(['keys', 'create', '--name', 'till', '--expires', '1h']);
    const { stdout } = await run(['keys', 'rotate', '1', '--grace', '7d', '--json']);
    expect(JSON.parse(stdout).replaces).toEqual({
      ...{ id: 1, expiresAt: '2026-11-20T13:00:00.000Z' },
    });
  });

  it('says the end of the successor, which a key that is rotated twice passes on', async () => {
    const { run } = await openDatabase();
    await run(['keys', 'create', '--name', 'till']);
    const rotate = ['keys', 'rotate', '1', '--grace', '1h'];
    expect((await run(rotate)).stderr).not.toContain('It ends on');
    expect((await run(rotate)).stderr).toContain('It ends on 2026-11-20T13:00:00.000Z.');
  });

  it.each([
    ['create', '--name', 'b', '--expires'],
    ['rotate', '1', '--grace'],
  ])('refuses a time that no clock reaches, which would be no end at all: %s', async (...words) => {
    const { run } = await openDatabase();
    await run(['keys', 'create', '--name', 'till', '--expires', '1h']);
    const before = (await run(['keys', 'list', '--json'])).stdout;
    const refused = await run(['keys', ...words, '999999999d']);
    expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
    expect((await run(['keys', 'list', '--json'])).stdout).toBe(before);
  });

  it('refuses a key that has ended or was revoked, and creates nothing', async () => {
    const { run, database } = await openDatabase();
    await run(['keys', 'create', '--name', 'till']);
    await run(['keys', 'revoke', '1']);
    expect(await run(['keys', 'rotate', '1'])).toEqual({
      stdout: '',
      stderr: `Error: Key 1 ("till") in ${database} is revoked: create a new one instead\nTry:  petstore keys create --help\n`,
      exitCode: 2,
    });
    expect(await run(['keys', 'rotate', '7'])).toMatchObject({ stdout: '', exitCode: 5 });
    expect((await run(['keys', 'list', '-q'])).stdout).toBe('1\n');
  });
});

describe('petstore keys revoke', () => {
  it('ends a key on a running service within a second', async () => {
    const { run, database } = await openDatabase();
    const { stdout } = await run(['keys', 'create', '--name', 'lost']);
    const service = await startService({ database });
    onTestFinished(service.close);
    const ask = async () => (await call({ ...service, key: stdout.trim() }, '/pets')).status;
    expect(await ask()).toBe(200);
    expect(await run(['keys', 'revoke', '1'])).toEqual({
      stdout: '',
      stderr: `Key 1 ("lost") in ${database} is revoked.\n`,
      exitCode: 0,
    });
    await expect.poll(ask, { interval: 20, timeout: 1_000 }).toBe(401);
  });

  it.each(['7', 'till', '-1', '1.0'])('says when there is no key %s', async (id) => {
    const { run, database } = await openDatabase();
    expect(await run(['keys', 'revoke', '--', id])).toEqual({
      stdout: '',
      stderr: `Error: There is no key ${id} in ${database}\nTry:  petstore keys list\n`,
      exitCode: 5,
    });
  });
});

describe('the database of the keys commands', () => {
  it.each([
    [
      ['create', '--name', 'till 3', '--expires', '90d'],
      "create --name 'till 3' --expires 7776000s",
    ],
    [['list'], undefined],
    [['revoke', '1'], undefined],
  ])('is not created by %j', async (words, rerun) => {
    const folder = await makeFolder();
    const database = `sqlite:${folder}/petstore.db`;
    const { stdout, stderr, exitCode } = await runPetstore([
      'keys',
      ...words,
      '--database',
      database,
    ]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    const hint = rerun && `Try:  petstore keys ${rerun} --new --database ${database}\n`;
    expect(stderr).toBe(
      `Error: There is no database ${database}\n` +
        '  name the one that the service uses with --database or PETSTORE_SERVE_DATABASE\n' +
        (hint ?? ''),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not created in an empty file', async () => {
    const file = `${await makeFolder()}/petstore.db`;
    await writeFile(file, '');
    const { exitCode } = await runPetstore(['keys', 'list', '--database', `sqlite:${file}`]);
    expect(exitCode).toBe(2);
    expect(await readFile(file, 'utf8')).toBe('');
  });

  it('is created by --new, which says so, and used when it is there', async () => {
    const database = `sqlite:${await makeFolder()}/new/petstore.db`;
    const create = (name: string) =>
      runPetstore(['keys', 'create', '--new', '--name', name, '--database', database]);
    expect((await create('till')).stderr).toBe(
      `Created the database ${database}\nCreated key 1 ("till") in ${database}. It is not shown again.\n`,
    );
    expect((await create('audit')).stderr).toBe(
      `Created key 2 ("audit") in ${database}. It is not shown again.\n`,
    );
  });

  it('is named in every success, for scripts too', async () => {
    const { run, database } = await openDatabase();
    for (const words of [['create', '--name', 'till'], ['list'], ['revoke', '1']]) {
      expect((await run(['keys', ...words])).stderr).toContain(database);
      const { stderr } = await run(['keys', ...words, '--json']);
      expect(JSON.parse(stderr)).toMatchObject({ type: 'notice', database });
    }
  });

  it.skipIf(findPostgresObstacle())('is shown without its password', async () => {
    const { url, drop } = await createTestSchema();
    onTestFinished(drop);
    await expect(hasStore(url)).resolves.toBe(false);
    const { username, password, host } = new URL(url);
    for (const words of [
      ['create', '--name', 'till'],
      ['create', '--name', 'till', '--new'],
      ['list'],
      ['revoke', '1'],
      ['revoke', '7'],
    ]) {
      const { stderr } = await runPetstore(['keys', ...words, '--database', url]);
      expect(stderr).toContain(`postgres://${username}:…@${host}`);
      expect(stderr).not.toContain(password);
    }
  });

  it('stays the same in the line to try', async () => {
    const database = await createDatabase('pets of till 3.db');
    const { stderr } = await runPetstore(['keys', 'revoke', '7', '--database', database]);
    expect(stderr).toBe(
      `Error: There is no key 7 in ${database}\nTry:  petstore keys list --database '${database}'\n`,
    );
  });

  it('is named when it cannot be opened', async () => {
    const { stderr, exitCode } = await runPetstore([
      'keys',
      'list',
      '--database',
      'sqlite:/dev/null/x.db',
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('/dev/null');
    const unknown = await runPetstore(['keys', 'list', '--database', 'mysql://root:secret@db/x']);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain(
      '--database must be sqlite:<path> or postgres://user@host/database, not a URL of mysql:',
    );
    expect(unknown.stderr).not.toContain('secret');
  });
});
