import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, quietRun } from '../support/command-database.ts';
import { usePostgres } from '../support/postgres-database.ts';
import { runPetstore } from '../support/run-petstore.ts';
import { createTemporaryFolder, openTemporaryFolder } from '../support/temporary-folder.ts';
import { openTerminalSession, runInTerminal } from '../support/terminal-session.ts';

const { createDatabase } = usePostgres();
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

/** A home whose store has the keys till-1 and till-2, and so many pets of each, those of till-1 five hours old. */
async function fillHome(pets = 1): Promise<string> {
  return await fill(await createTemporaryFolder(), pets);
}

async function fill(home: string, pets: number): Promise<string> {
  const { store, close } = await openDatabase(home);
  for (const [index, name] of ['till-1', 'till-2'].entries()) {
    const key = { hash: Buffer.alloc(32, index), name, access: 'write' } as const;
    await store.createKey({
      ...key,
      ...{ createdAt: hoursAgo(6), expiresAt: undefined },
    });
    const pet = { name: `Rex ${index}`, categoryId: 2n ** 62n, status: 'sold' } as const;
    const keyId = BigInt(index + 1);
    const additions = Array.from({ length: pets }, () => ({ pet, keyId }));
    await store.addPets(additions, hoursAgo(index === 0 ? 5 : 2));
  }
  await close();
  return home;
}

describe('db audit', () => {
  let home = '';
  beforeAll(async () => {
    const folder = await openTemporaryFolder();
    home = await fill(folder.path, 1);
    return folder.remove;
  });

  it('says who added which pet and when', async () => {
    const { stdout } = await runPetstore('db audit --json', { home });
    expect(JSON.parse(stdout)).toMatchObject([
      { id: 2, name: 'Rex 1', status: 'sold', key: 'till-2', keyId: 2 },
      { id: 1, name: 'Rex 0', status: 'sold', key: 'till-1', keyId: 1 },
    ]);
    expect(stdout).toContain('"categoryId":4611686018427387904');
  });

  it.each([
    ['--pet 1', '1\n'],
    ['--key till-2', '2\n'],
    ['--since 3h', '2\n'],
    ['--limit 1', '2\n'],
    ['--pet 9', ''],
  ])('%s', async (words, ids) => {
    const run = await runPetstore(`db audit -o ids ${words}`, { home });
    expect(run).toEqual({ ...quietRun, stdout: ids });
  });

  it('refuses a key that never was, which added nothing either', async () => {
    expect(await runPetstore('db audit --key till-9', { home })).toMatchObject({
      exitCode: 5,
      stderr: 'Error: There is no key "till-9".\nTry:  petstore keys list\n',
    });
  });

  it('shows the latest 50 unless told, and says so', async () => {
    const options = { home: await fillHome(26) };
    const run = await runPetstore('db audit -o ids', options);
    expect(run.stdout.split('\n')).toHaveLength(51);
    expect(run.stderr).toBe('Showing the latest 50. --limit <n> shows more.\n');
    const all = await runPetstore('db audit -o ids --limit 52', options);
    expect(all.stdout.split('\n')).toHaveLength(53);
  });

  it('fits a terminal of 80 columns', async () => {
    const session = await runInTerminal('petstore db audit', { home });
    const [, titles, row] = (await session.waitForEnd()).split('\n');
    expect(titles).toMatch(/^ID {2}NAME +CATEGORY {2}STATUS {2}KEY +ADDED$/);
    expect(row).toMatch(/^ 2 {2}Rex 1 +4611686018427387904 {2}sold +till-2 {2}2 hours ago$/);
  });
});

describe('db backup, check and migrate', () => {
  it('are silent where nobody watches', async () => {
    const home = await fillHome();
    for (const line of ['db backup copy.db', 'db check --database copy.db', 'db migrate']) {
      expect(await runPetstore(line, { home })).toEqual({ ...quietRun, stdout: '' });
    }
  });

  it('say on a terminal what they did', async () => {
    const session = await openTerminalSession({ home: await fillHome() });
    for (const [line, words] of [
      ['db backup copy.db', 'Backed up to copy.db, and checked: 2 pets, 2 API keys.'],
      ['db check --database copy.db', 'is undamaged: 2 pets, 2 API keys.'],
      ['db migrate', 'is up to date.'],
      ['db migrate --database new.db', 'Created the tables in'],
    ] as const) {
      await session.run(`petstore ${line}`);
      expect((await session.waitForEnd()).replaceAll('\n', ' ')).toContain(words);
      await session.clear();
    }
  });

  it.each([
    ['a file that is there', 'db backup old.db', 'exists already'],
    ['a file that is no database', 'db check --database old.db', 'is not a SQLite database'],
    ['a folder', 'db check --database .', 'is a folder'],
  ])('refuse %s', async (_case, line, words) => {
    const home = await fillHome();
    await writeFile(path.join(home, 'old.db'), 'old'.repeat(1_000));
    const run = await runPetstore(line, { home });
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(run.stderr).toContain(words);
  });
});

describe('db copy', () => {
  it('copies to PostgreSQL, where keys and audit are the same', async () => {
    const home = await fillHome();
    const source = path.join(home, '.local/share/petstore/petstore.db');
    const database = await createDatabase();
    const copied = await runPetstore(['db', 'copy', source, database], { home });
    expect(copied).toEqual({ ...quietRun, stdout: '' });
    const read = async (words: readonly string[]) =>
      (await runPetstore(['db', 'audit', '--csv', ...words], { home })).stdout;
    expect(await read(['--database', database])).toBe(await read([]));
  });

  it('advises no option that it has not', async () => {
    const words = ['db', 'copy', 'sqlite:nothere.db', 'postgres://db.test/petstore'];
    const { stderr } = await runPetstore(words);
    expect(stderr).toContain('There is no pet store in sqlite:');
    expect(stderr).not.toContain('--database');
  });
});
