import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isApiKey } from '../../src/contract/api-key.ts';
import { openDatabase, quietRun } from '../support/command-database.ts';
import { runPetstore } from '../support/run-petstore.ts';
import { runShell } from '../support/run-shell.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { runInTerminal } from '../support/terminal-session.ts';

async function createKeys(home: string, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    expect(await runPetstore(['keys', 'create', '--name', name], { home })).toMatchObject({
      exitCode: 0,
    });
  }
}

const readKeys = async (home: string) =>
  JSON.parse((await runPetstore('keys list --json', { home })).stdout);

describe('keys create', () => {
  it('prints a key alone, and stores it in a database that it creates', async () => {
    const home = await createTemporaryFolder();
    const { stdout, ...run } = await runPetstore('keys create --name till-3', { home });
    expect(run).toEqual(quietRun);
    expect(isApiKey(stdout.trimEnd())).toBe(true);
    expect(stdout).toMatch(/^\S+\n$/);
    expect(await readKeys(home)).toMatchObject([{ id: 1, name: 'till-3', state: 'active' }]);
  });

  it('writes one object with --json', async () => {
    const home = await createTemporaryFolder();
    const line = 'keys create --name reports --access read --expires 90d --json';
    const { key, createdAt, expiresAt, ...rest } = JSON.parse(
      (await runPetstore(line, { home })).stdout,
    );
    expect(rest).toEqual({ name: 'reports', access: 'read' });
    expect(isApiKey(key)).toBe(true);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(90 * 86_400_000);
  });

  it.each([
    ['is closed', 'petstore keys create --name till-9 >&-'],
    ['is full', 'petstore keys create --name till-9 >/dev/full'],
    ['is closed in JSON', 'petstore keys create --name till-9 --json >&-'],
  ])('creates nothing where stdout %s', async (_case, line) => {
    const home = await createTemporaryFolder();
    await createKeys(home, 'till-1');
    const { exitCode, stderr } = await runShell(line, {}, home);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('cannot be printed, so none was created');
    expect(await readKeys(home)).toMatchObject([{ name: 'till-1' }]);
  });

  it.each([
    ['a name in use', 'till-3', 'There is a key till-3 already'],
    ['a number for a name', '17', 'looks like the number of a key'],
  ])('refuses %s', async (_case, name, words) => {
    const home = await createTemporaryFolder();
    await createKeys(home, 'till-3');
    const run = await runPetstore(['keys', 'create', '--name', name], { home });
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(run.stderr).toContain(words);
  });

  it('says on a terminal what it created', async () => {
    const session = await runInTerminal('petstore keys create --name till-3 > key.txt');
    const shown = (await session.waitForEnd()).replaceAll('\n', ' ');
    expect(shown).toContain('Created the database sqlite:');
    expect(shown).toContain('Created key 1 (till-3). It is not shown again.');
  });
});

describe('keys list', () => {
  it('fits a terminal of 80 columns', async () => {
    const home = await createTemporaryFolder();
    await createKeys(home, 'the till beside the door to the garden, second from the left');
    const database = await openDatabase(home);
    await database.store.recordKeyUses(new Map([[1n, new Date(Date.now() - 7_200_000)]]));
    await database.close();
    const session = await runInTerminal('petstore keys list', { home });
    const [, titles, row] = (await session.waitForEnd()).split('\n');
    expect(titles).toMatch(/^ID {2}NAME +ACCESS +STATE +CREATED +LAST USED +EXPIRES$/);
    expect(row).toMatch(/^ 1 {2}the till.*… {2}write +active +just now +2 hours ago +-$/);
  });

  it.each(['keys list', 'keys revoke till-3', 'db check', 'db audit', 'db backup copy.db'])(
    '%s creates no database where there is none',
    async (line) => {
      const home = await createTemporaryFolder();
      const run = await runPetstore(line, { home });
      expect(run).toMatchObject({ stdout: '', exitCode: 2 });
      expect(run.stderr).toContain('There is no pet store in sqlite:');
      expect(await readdir(home)).toEqual([]);
    },
  );

  it.each([
    ['a flag', ['--database', "'postgres://till:Sesame9@db.test/petstore'"], {}],
    ['a variable', [], { PETSTORE_SERVE_DATABASE: 'postgres://till:Sesame#9@db.test/petstore' }],
  ])('repeats nothing of a database URL in %s that cannot be read', async (_case, words, given) => {
    const variables = { ...given, PETSTORE_DEBUG: '1' };
    const run = await runPetstore(['keys', 'list', '--json', ...words], { variables });
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(JSON.parse(run.stderr).message).toContain('The database URL cannot be used');
    expect(run.stderr).not.toContain('Sesame');
  });
});

describe('keys revoke', () => {
  it.each(['till-2', '2'])('ends the key %s', async (word) => {
    const home = await createTemporaryFolder();
    await createKeys(home, 'till-1', 'till-2');
    expect(await runPetstore(['keys', 'revoke', word], { home })).toEqual({
      ...quietRun,
      stdout: '',
    });
    expect(await readKeys(home)).toMatchObject([{ state: 'active' }, { state: 'revoked' }]);
  });

  it('says that there is no such key', async () => {
    const home = await createTemporaryFolder();
    await createKeys(home, 'till-1');
    const run = await runPetstore('keys revoke till-2', { home });
    expect(run).toMatchObject({ stdout: '', exitCode: 5 });
    expect(run.stderr).toContain('There is no key "till-2".');
  });

  it('says how the keys of the same database are listed, but repeats no URL', async () => {
    const home = await createTemporaryFolder();
    const database = path.join(home, 'petstore.db');
    await runPetstore(['keys', 'create', '--name', 'till-1', '--database', database], { home });
    const { stderr } = await runPetstore(['keys', 'revoke', '9', '--database', database], { home });
    expect(stderr).toContain(`Try:  petstore keys list --database ${database}\n`);
  });

  it.each(['keys list', 'db check', 'db audit'])(
    '%s refuses a variable that is not a setting, before it opens another database',
    async (line) => {
      const variables = { PETSTORE_SERVE_DATABSE: '/elsewhere.db' };
      const { stderr, exitCode } = await runPetstore(line, { variables });
      expect({ stderr, exitCode }).toEqual({
        stderr: expect.stringContaining('Did you mean PETSTORE_SERVE_DATABASE?'),
        exitCode: 2,
      });
    },
  );

  it('asks on a terminal, where Enter means no', async () => {
    const home = await createTemporaryFolder();
    await createKeys(home, 'till-1');
    const session = await runInTerminal('petstore keys revoke till-1', { home });
    await session.answer('Revoke key 1 (till-1), never used? It cannot be undone. (y/N)');
    expect(await session.waitForEnd()).toContain('Stopped; key 1 (till-1) still works.');
    await session.clear();
    await session.run('petstore keys revoke till-1');
    await session.answer('(y/N)', 'y');
    expect(await session.waitForEnd()).toContain('Key 1 (till-1) is revoked.');
    expect(await readKeys(home)).toMatchObject([{ state: 'revoked' }]);
    // Nothing is left to ask about.
    await session.clear();
    await session.run('petstore keys revoke till-1');
    expect(await session.waitForEnd()).toMatch(/till-1\nKey 1 \(till-1\) was revoked .*\.\nexit 0/);
  });
});

it('finds the default database in XDG_DATA_HOME', async () => {
  const home = await createTemporaryFolder();
  const variables = { XDG_DATA_HOME: path.join(home, 'data') };
  await runPetstore('keys create --name till-3', { home, variables });
  expect(await readdir(path.join(home, 'data', 'petstore'))).toContain('petstore.db');
});
