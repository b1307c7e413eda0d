import { chmod, copyFile, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/service/storage/databases.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { createTestSchema } from '../../support/postgres.ts';
import { findPostgresObstacle } from '../../support/postgres-cluster.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';
import { findMountObstacle, mountSmallDisk } from '../../support/small-disk.ts';

const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

/** A database with two pets, and the program on it. */
async function openDatabase() {
  const folder = await createHome();
  const file = path.join(folder, 'petstore.db');
  const made = path.join(await makeFolder(), 'petstore.db');
  const store = await openStore(`sqlite:${made}`, { isShared: true });
  await store.addPets([{ pet, idempotencyKey: 'key' }, { pet }], new Date());
  await store.close();
  // Its log stays beside a database until the garbage collector has seen every statement.
  await copyFile(made, file);
  const run = (words: string[], options: RunOptions = {}) =>
    runPetstore(['db', ...words], {
      ...options,
      env: { PETSTORE_SERVE_DATABASE: `sqlite:${file}` },
    });
  return { folder, file, run };
}

/** Spoils a page of the pets in a database file. */
async function damage(file: string): Promise<void> {
  const bytes = await readFile(file);
  const page = bytes.lastIndexOf('"id":2,') & ~0xfff;
  bytes.fill(0xa5, page, page + 0x1000);
  await writeFile(file, bytes);
}

describe('petstore db backup', () => {
  it.each([
    ['pipe', { tty: false }],
    ['terminal', { tty: true, columns: 300 }],
  ])(
    'says what it backed up and checked, and prints nothing on stdout (%s)',
    async (_, options) => {
      const { folder, file, run } = await openDatabase();
      const copy = path.join(folder, 'copy.db');
      const { exitCode, stdout, stderr } = await run(['backup', copy], options);
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
      expect(stderr.replaceAll('\r\n', '\n')).toBe(
        `Backed up sqlite:${file} to ${copy} and checked the copy: 2 pets, 0 API keys\n`,
      );
    },
  );

  it('leaves one file, whole and its owner’s alone, that is served', async () => {
    const { file, run } = await openDatabase();
    const service = await startService({ database: `sqlite:${file}` });
    onTestFinished(service.close);
    const folder = await makeFolder();
    const copy = path.join(folder, 'copy.db');
    const { stderr } = await run(['backup', copy, '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ type: 'notice', file: copy, pets: 2, apiKeys: 1 });
    expect(await readdir(folder)).toEqual(['copy.db']);
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    // Not in WAL mode (sqlite.org/fileformat.html#the_database_header), in which no medium that is read-only may hold it.
    expect([...(await readFile(copy)).subarray(18, 20)]).toEqual([1, 1]);
    const restored = await startService({ database: `sqlite:${copy}` });
    onTestFinished(restored.close);
    expect(await restored.store.listPets({ after: 0n, limit: 5 })).toEqual(
      await service.store.listPets({ after: 0n, limit: 5 }),
    );
  });

  it.each([
    ['a file', (target: string) => writeFile(target, 'precious')],
    ['a link to nothing', (target: string) => symlink(`${target}-none/copy.db`, target)],
  ])('refuses %s that exists, and leaves it', async (_, create) => {
    const { run } = await openDatabase();
    const folder = await makeFolder();
    const target = path.join(folder, 'copy.db');
    await create(target);
    const before = await readFile(target, 'utf8').catch(() => 'none');
    const { exitCode, stderr } = await run(['backup', target]);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(`Error: ${target} exists already: a backup never replaces a file\n`);
    expect(await readFile(target, 'utf8').catch(() => 'none')).toBe(before);
    expect(await readdir(folder)).toEqual(['copy.db']);
  });

  it.each(['check', 'backup copy.db'])(
    'db %s takes an empty file for no database',
    async (line) => {
      const { folder, run } = await openDatabase();
      const empty = path.join(folder, 'empty.db');
      await writeFile(empty, '');
      const refused = await run([...line.split(' '), '--database', `sqlite:${empty}`]);
      const stderr = `Error: There is no database at ${empty}\n`;
      expect(refused).toEqual({ stdout: '', stderr, exitCode: 2 });
    },
  );

  it('refuses a database that is not there, and a folder that is not', async () => {
    const { folder, run } = await openDatabase();
    const copy = path.join(folder, 'copy.db');
    const none = await run(['backup', copy, '--database', `sqlite:${folder}/none/pets.db`]);
    expect(none.stderr).toBe(`Error: There is no database at ${folder}/none/pets.db\n`);
    const nowhere = await run(['backup', `${folder}/nowhere/copy.db`]);
    expect(nowhere.stderr).toBe(`Error: There is no folder ${folder}/nowhere\n`);
    expect(await readdir(folder)).not.toContain('none');
    expect([none.exitCode, nowhere.exitCode]).toEqual([2, 2]);
  });

  it('makes no backup of a damaged database', async () => {
    const { file, run } = await openDatabase();
    await damage(file);
    const folder = await makeFolder();
    const { exitCode, stderr } = await run(['backup', path.join(folder, 'copy.db')]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(/damaged/) });
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const { run } = await openDatabase();
    const folder = await makeFolder();
    const { exitCode } = await run(['backup', path.join(folder, 'copy.db')], {
      signal: AbortSignal.abort(),
    });
    expect(exitCode).toBe(130);
    expect(await readdir(folder)).toEqual([]);
  });

  it.skipIf(findMountObstacle())('leaves nothing behind on a full disk, and says so', async () => {
    const { run } = await openDatabase();
    const disk = await mountSmallDisk('1m');
    await disk.fill();
    const { exitCode, stderr } = await run(['backup', path.join(disk.folder, 'copy.db')]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('copy.db cannot be written: the disk is full');
    expect(await readdir(disk.folder)).toEqual(['filler']);
  });

  it('backs up a database of petstore 0.1.0 without updating it', async () => {
    const old = path.join(import.meta.dirname, '../../support/databases/petstore-0.1.0.db');
    const { folder, run } = await openDatabase();
    const copy = path.join(folder, 'copy.db');
    const { stderr } = await run(['backup', copy, '--database', `sqlite:${old}`]);
    expect(stderr).toContain('checked the copy: 6 pets, 3 API keys');
    // Its version, and that it has no application id (sqlite.org/fileformat.html#the_database_header).
    const header = await readFile(copy);
    expect([header.readUInt32BE(60), header.readUInt32BE(68)]).toEqual([1, 0]);
  });

  it.skipIf(findPostgresObstacle())('names PostgreSQL’s own tools for its databases', async () => {
    const { url, drop } = await createTestSchema();
    onTestFinished(drop);
    const { run, folder } = await openDatabase();
    const { exitCode, stderr } = await run(['backup', `${folder}/copy.db`, '--database', url]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('pg_dump');
  });
});

describe('petstore db check', () => {
  it.each([
    ['pipe', { tty: false }],
    ['terminal', { tty: true, columns: 300 }],
  ])('says what a whole database holds, while a service uses it (%s)', async (_, options) => {
    const { file, run } = await openDatabase();
    const service = await startService({ database: `sqlite:${file}` });
    onTestFinished(service.close);
    const { exitCode, stdout, stderr } = await run(['check'], options);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr.replaceAll('\r\n', '\n')).toBe(`sqlite:${file} is whole: 2 pets, 1 API key\n`);
  });

  it('finds damage, and changes nothing', async () => {
    const { folder, file, run } = await openDatabase();
    await damage(file);
    const [before, names] = [await readFile(file), await readdir(folder)];
    const { exitCode, stderr } = await run(['check']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/damaged.*restore a backup/);
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(await readdir(folder)).toEqual(names);
  });

  it('finds an index that no longer matches its table', async () => {
    const { file, run } = await openDatabase();
    const bytes = await readFile(file);
    bytes.write('pets (name,   id)', bytes.indexOf('pets (status, id)'));
    await writeFile(file, bytes);
    const { exitCode, stderr } = await run(['check']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/is damaged \(row 1 missing from index pets_by_status\)/),
    });
  });

  it('finds an idempotency key whose pet is gone', async () => {
    const { file, run } = await openDatabase();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA foreign_keys = OFF; DELETE FROM pets WHERE id = 1');
    database.close();
    expect((await run(['check'])).stderr).toContain('an idempotency key refers to a pet that is');
  });

  it('reads a file that it may not write', async () => {
    const { file, run } = await openDatabase();
    await chmod(file, 0o400);
    expect((await run(['check'])).stderr).toContain('is whole: 2 pets');
  });

  it.skipIf(findPostgresObstacle())(
    'reads a store in PostgreSQL, and one that is none',
    async () => {
      const { url, drop } = await createTestSchema();
      onTestFinished(drop);
      const { run } = await openDatabase();
      const password = new URL(url).password;
      const none = await run(['check', '--database', url]);
      expect(none.stderr).toContain('There are no tables of petstore');
      const store = await openStore(url);
      onTestFinished(store.close);
      await store.addPets([{ pet, idempotencyKey: 'key' }], new Date());
      const whole = await run(['check', '--database', url]);
      expect(whole).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('1 pet, 0 API keys'),
      });
      expect(none.stderr + whole.stderr).not.toContain(password);
    },
  );
});
