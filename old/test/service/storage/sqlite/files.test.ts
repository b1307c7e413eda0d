import {
  copyFile,
  link,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../src/service/storage/databases.ts';
import { StoreOpenError } from '../../../../src/service/storage/store.ts';
import { call, expectFailure, post } from '../../../support/http.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { startService } from '../../../support/service.ts';

const rex = '{"name":"Rex","categoryId":7}';

async function serve(file: string) {
  const service = await startService({ database: `sqlite:${file}` });
  onTestFinished(service.close);
  return service;
}

describe('one database file under two names', () => {
  async function serveUnderTwoNames(makeName: typeof symlink | typeof link) {
    const file = path.join(await makeFolder(), 'petstore.db');
    await serve(file);
    const other = path.join(await makeFolder(), 'other.db');
    await makeName(file, other);
    return other;
  }

  it.each([
    ['a symbolic link', symlink, /another petstore serve is using the database/],
    ['a hard link', link, /has a second name \(a hard link\).*: remove that name/],
  ] as const)('a second service through %s is refused', async (_name, makeName, message) => {
    const other = await serveUnderTwoNames(makeName);
    const second = startService({ database: `sqlite:${other}` });
    await expect(second).rejects.toThrow(StoreOpenError);
    await expect(second).rejects.toThrow(message);
  });

  it.each([
    ['a symbolic link', symlink, 'petstore serve is using the database'],
    ['a hard link', link, 'has a second name'],
  ] as const)('db copy through %s is refused, on either side', async (_name, makeName, message) => {
    const other = `sqlite:${await serveUnderTwoNames(makeName)}`;
    const empty = `sqlite:${path.join(await makeFolder(), 'empty.db')}`;
    for (const [from, to] of [
      [other, empty],
      [empty, other],
    ] as const) {
      await startService({ database: empty }).then(({ close }) => close());
      const { exitCode, stderr } = await runPetstore(['db', 'copy', '--from', from, '--to', to]);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining(message),
      });
    }
  });

  it('a symbolic link to a folder or to a file that does not exist yet is one name, too', async () => {
    const folder = await makeFolder();
    const [real, byFolder, byFile] = ['real', 'folder', 'file.db'].map((name) =>
      path.join(folder, name),
    );
    await symlink(`${real}`, `${byFolder}`);
    await symlink(`${real}/petstore.db`, `${byFile}`);
    const first = await startService({ database: `sqlite:${byFile}` });
    for (const other of [`${real}/petstore.db`, `${byFolder}/petstore.db`]) {
      await expect(startService({ database: `sqlite:${other}` })).rejects.toThrow(
        /another petstore/,
      );
    }
    await first.close();
    expect(await readdir(`${real}`)).toContain('petstore.db');
  });
});

describe('a SQLite file of another program', () => {
  const other = 'CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES (1)';
  const files = [
    ['with its tables', other],
    ['with its tables and version', `${other}; PRAGMA user_version = 1`],
    ['with tables called pets', 'CREATE TABLE pets (id); PRAGMA user_version = 1'],
    ['with our tables, but not our version', 'CREATE TABLE pets (id); CREATE TABLE api_keys (id)'],
    ['with its application id', 'PRAGMA application_id = 252006673'],
    ['in WAL mode', `PRAGMA journal_mode = WAL; ${other}`],
  ] as const;

  it.each(files)('%s is refused by every command and left byte for byte', async (_name, sql) => {
    const folder = await makeFolder();
    const file = path.join(folder, 'songs.db');
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
    const [before, names] = [await readFile(file), await readdir(folder)];
    const url = `sqlite:${file}`;
    const message = `${file} is a SQLite database of another program: nothing was changed`;
    await expect(startService({ database: url })).rejects.toThrow(message);
    const empty = `sqlite:${path.join(await makeFolder(), 'empty.db')}`;
    for (const words of [
      ['keys', 'list', '--database', url],
      ['keys', 'create', '--name', 'till', '--database', url],
      ['db', 'copy', '--from', url, '--to', empty],
    ]) {
      const { exitCode, stdout, stderr } = await runPetstore(words);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain(message);
    }
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(await readdir(folder)).toEqual(names);
  });

  it('whose log was not moved into it yet keeps the log, too', async () => {
    const folder = await makeFolder();
    const file = path.join(folder, 'songs.db');
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA journal_mode = WAL; ${other}`);
    onTestFinished(() => database.close());
    const read = () => Promise.all([readFile(file), readFile(`${file}-wal`)]);
    const before = await read();
    await expect(startService({ database: `sqlite:${file}` })).rejects.toThrow('another program');
    expect(await read()).toEqual(before);
  });

  it('whose program was killed keeps the log that it left, too', async () => {
    const made = path.join(await makeFolder(), 'songs.db');
    const database = new DatabaseSync(made);
    database.exec(`PRAGMA journal_mode = WAL; ${other}`);
    onTestFinished(() => database.close());
    const folder = await makeFolder();
    const file = path.join(folder, 'songs.db');
    for (const ending of ['', '-wal']) await copyFile(made + ending, file + ending);
    const read = () => Promise.all([readFile(file), readFile(`${file}-wal`)]);
    const before = await read();
    await expect(startService({ database: `sqlite:${file}` })).rejects.toThrow('another program');
    expect(await read()).toEqual(before);
  });
});

it('a lock that cannot be taken is not blamed on another service', async () => {
  const file = path.join(await makeFolder(), 'petstore.db');
  await writeFile(`${file}-lock`, 'this is a letter, not a lock. '.repeat(100));
  await expect(startService({ database: `sqlite:${file}` })).rejects.toThrow(
    `cannot open the database ${file}: its file is not a SQLite database`,
  );
});

it('a database may be called anything that a file may', async () => {
  const file = path.join(await makeFolder(), "the shop's 100% #1?mode=ro.db");
  const url = `sqlite:${file}`;
  await (await openStore(url)).close();
  await (await openStore(url)).close();
  const { exitCode, stderr } = await runPetstore(['db', 'check', '--database', url]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining('is whole: 0 pets'),
  });
});

it('a database in memory is ready, and shared with nobody', async () => {
  const [one, other] = [await openStore('sqlite::memory:'), await openStore('sqlite::memory:')];
  for (const { close } of [one, other]) onTestFinished(close);
  await one.addPets([{ pet: { name: 'Rex', categoryId: 7n, status: 'sold' } }], new Date());
  expect(await one.findPet(1n)).toMatchObject({ id: 1n });
  expect(await other.findPet(1n)).toBeUndefined();
  await expect(other.checkReady()).resolves.toBeUndefined();
});

describe('a database file that is taken away from a running service', () => {
  it('any one of its files: not ready, adds refused, reads served; all is well once it is back', async () => {
    const check = async (ending: string) => {
      const file = path.join(await makeFolder(), 'petstore.db');
      const service = await serve(file);
      const root = { ...service, url: service.url.replace('/v1', '') };
      const getReady = async () => (await call(root, '/readyz')).status;
      expect((await post(service, rex)).status).toBe(201);
      await rename(file + ending, `${file}-away`);
      expectFailure(await post(service, rex), 503, 'unavailable');
      await expect.poll(getReady, { timeout: 5_000 }).toBe(503);
      expect(await call(service, '/pets')).toMatchObject({ status: 200, body: [{ id: 1 }] });
      await rename(`${file}-away`, file + ending);
      await expect.poll(getReady, { timeout: 5_000 }).toBe(200);
      expect(await post(service, rex)).toMatchObject({ status: 201, body: { id: 2 } });
    };
    await Promise.all(['', '-wal', '-shm', '-lock'].map(check));
  });

  it('all of it deleted: the service notices without an add, and is not fooled by a new file', async () => {
    const file = path.join(await makeFolder(), 'petstore.db');
    const lines: string[] = [];
    const service = await startService({
      database: `sqlite:${file}`,
      overrides: { logLevel: 'warn', writeLog: (line) => lines.push(line) },
    });
    onTestFinished(service.close);
    const root = { ...service, url: service.url.replace('/v1', '') };
    for (const ending of ['', '-wal', '-shm', '-lock']) await rm(file + ending);
    const getReady = async () => (await call(root, '/readyz')).status;
    await expect.poll(getReady, { timeout: 5_000 }).toBe(503);
    expect(lines.join('')).toContain(`${file} was moved, deleted or replaced`);
    const next = await serve(file);
    expectFailure(await post(service, rex), 503, 'unavailable');
    expect((await post(next, rex)).status).toBe(201);
    await service.close();
    expect(await call(next, '/pets')).toMatchObject({ status: 200, body: [{ id: 1 }] });
    expect((await post(next, rex)).status).toBe(201);
  });
});
