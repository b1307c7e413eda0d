import {
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { IDEMPOTENCY_LIFETIME_MS } from '../../../../src/contract/headers.ts';
import { type Database, parseDatabaseUrl } from '../../../../src/service/storage/database-url.ts';
import { backUp, checkDatabase } from '../../../../src/service/storage/maintenance.ts';
import { openStore } from '../../../../src/service/storage/open-store.ts';
import { toStoreError } from '../../../../src/service/storage/sqlite/connection.ts';
import { type Store, StoreError } from '../../../../src/service/storage/store.ts';
import { isWindows, itOnPosix } from '../../../support/system.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { watchSyncs } from '../../../support/watch-syncs.ts';

const now = new Date('2026-11-25');
const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
const addRex = (store: Store) => store.addPets([{ pet, keyId: 1n }], now);

async function makeDatabase(name = 'petstore.db') {
  const folder = await createTemporaryFolder();
  const file = path.join(folder, name);
  return { folder, file, database: parseDatabaseUrl(`sqlite:${file}`) };
}

async function open(database: Database, isExclusive = true): Promise<Store> {
  const store = await openStore(database, { isExclusive });
  onTestFinished(() => store.close());
  return store;
}

/** With its tables, and closed. */
async function create(database: Database): Promise<void> {
  const store = await openStore(database, { isExclusive: true });
  await store.close();
}

describe('a SQLite database that cannot be opened is refused in words', () => {
  it('another serve uses it', async () => {
    const { database } = await makeDatabase();
    await open(database);
    await expect(open(database)).rejects.toThrow('Another petstore serve is using');
  });

  itOnPosix('another serve uses it by a symbolic link', async () => {
    const { folder, file, database } = await makeDatabase();
    await open(database);
    await symlink(file, path.join(folder, 'link.db'));
    await expect(open(parseDatabaseUrl(path.join(folder, 'link.db')))).rejects.toThrow(
      'Another petstore serve is using',
    );
  });

  it('it is a folder, beside which nothing is put', async () => {
    const { folder } = await makeDatabase();
    const data = path.join(folder, 'data');
    await mkdir(data);
    await expect(open(parseDatabaseUrl(data))).rejects.toThrow('is a folder');
    expect(await readdir(folder)).toEqual(['data']);
  });

  itOnPosix('it is no file', async () => {
    await expect(open(parseDatabaseUrl('/dev/null'))).rejects.toThrow('is not a file');
  });

  it('it is of another program, and stays as it was', async () => {
    const { file, database } = await makeDatabase();
    execute(file, 'CREATE TABLE songs (title TEXT)');
    const before = await readFile(file);
    await expect(open(database)).rejects.toThrow('is a database of another program');
    expect(await readFile(file)).toEqual(before);
  });

  it('it is newer than this program', async () => {
    const { file, database } = await makeDatabase();
    await create(database);
    execute(file, 'PRAGMA user_version = 99');
    await expect(open(database)).rejects.toThrow('was written by a newer petstore');
    // It is not held by who was refused.
    execute(file, 'PRAGMA user_version = 1');
    await expect(open(database)).resolves.toBeDefined();
  });

  it('it is no database', async () => {
    const { file, database } = await makeDatabase();
    await writeFile(file, 'hello '.repeat(1_000));
    await expect(open(database)).rejects.toThrow('not a SQLite database');
  });

  it('its folder is a file', async () => {
    const { file } = await makeDatabase();
    await writeFile(file, '');
    // Windows says so in other words.
    await expect(open(parseDatabaseUrl(path.join(file, 'x', 'petstore.db')))).rejects.toThrow(
      /a part of its path is not a folder|there is no such file or folder/,
    );
  });
});

describe('a SQLite database', () => {
  itOnPosix('is created with its folders, which only their owner can read', async () => {
    const { folder } = await makeDatabase();
    await open(parseDatabaseUrl(path.join(folder, 'a', 'b', 'petstore.db')));
    expect(await readdir(path.join(folder, 'a', 'b'))).toContain('petstore.db');
    const modes = await Promise.all(
      ['a', 'a/b'].map(async (name) => (await stat(path.join(folder, name))).mode & 0o77),
    );
    expect(modes).toEqual([0, 0]);
  });

  it('is created only where it may be', async () => {
    const { file, database } = await makeDatabase();
    await writeFile(file, '');
    const options = { isExclusive: false, mustExist: true };
    await expect(openStore(database, options)).rejects.toThrow('There is no pet store in');
    expect((await open(database)).isNew).toBe(true);
    expect((await open(database, false)).isNew).toBe(false);
  });

  it('is shared by a command while it is served', async () => {
    const { database } = await makeDatabase();
    const service = await open(database);
    const command = await open(database, false);
    const hash = Buffer.alloc(32, 1);
    const times = { createdAt: now, expiresAt: undefined };
    const key = await command.createKey({ hash, name: 'till-3', access: 'write', ...times });
    expect(await service.findKey(hash)).toEqual(key);
    await command.revokeKey(key?.id ?? 0n, now);
    expect(await service.findKey(hash)).toMatchObject({ revokedAt: now });
  });

  it('keeps no idempotency key that is older than seven days', async () => {
    const { file, database } = await makeDatabase();
    const store = await open(database);
    const add = (idempotencyKey: string, at: Date) =>
      store.addPets([{ pet, keyId: 1n, idempotencyKey }], at);
    await add('old', now);
    await add('new', new Date(now.getTime() + IDEMPOTENCY_LIFETIME_MS));
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    expect(other.prepare('SELECT key FROM idempotency_keys').all()).toEqual([{ key: 'new' }]);
  });

  it('can be served again when the service is closed', async () => {
    const { database } = await makeDatabase();
    await (await openStore(database, { isExclusive: true })).close();
    await expect(open(database)).resolves.toBeDefined();
  });

  it('syncs every commit to the disk', async () => {
    const { file, database } = await makeDatabase();
    const store = await open(database);
    const other = new DatabaseSync(file);
    other.exec(`CREATE TABLE notes (synchronous INTEGER);
      CREATE TRIGGER note AFTER INSERT ON pets
      BEGIN INSERT INTO notes SELECT synchronous FROM pragma_synchronous; END`);
    await addRex(store);
    const FULL = 2;
    expect(other.prepare('SELECT synchronous FROM notes').all()).toEqual([{ synchronous: FULL }]);
    other.close();
  });

  // Windows moves no file that is open.
  itOnPosix.each([
    ['moved', (file: string) => rename(file, `${file}.moved`)],
    [
      'replaced',
      async (file: string) => {
        await rename(file, `${file}.moved`);
        await writeFile(file, '');
      },
    ],
  ])('that was %s fails the next add', async (_how, change) => {
    const { file, database } = await makeDatabase();
    const store = await open(database);
    await addRex(store);
    await change(file);
    await expect(addRex(store)).rejects.toThrow(StoreError);
    await expect(store.checkWritable()).rejects.toThrow('was moved, deleted or replaced');
  });

  itOnPosix('behind a symbolic link that leads elsewhere now fails the next add', async () => {
    const { folder, file, database } = await makeDatabase();
    await create(database);
    const link = path.join(folder, 'link.db');
    await symlink(file, link);
    const store = await open(parseDatabaseUrl(link));
    await addRex(store);
    await rm(link);
    await expect(addRex(store)).rejects.toThrow(StoreError);
    await writeFile(`${file}.other`, '');
    await symlink(`${file}.other`, link);
    await expect(store.checkWritable()).rejects.toThrow('was moved, deleted or replaced');
  });

  itOnPosix('is created where a symbolic link leads', async () => {
    const { folder, file } = await makeDatabase();
    const link = path.join(folder, 'link.db');
    await symlink(file, link);
    await addRex(await open(parseDatabaseUrl(link)));
    expect(await readdir(folder)).toContain('petstore.db-lock');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  itOnPosix.each([
    ['log', '-wal'],
    ['index of the log', '-shm'],
    ['lock', '-lock'],
  ])('whose %s was taken away fails the next add, and is not ready', async (_file, ending) => {
    const { file, database } = await makeDatabase();
    const store = await open(database);
    await addRex(store);
    await rename(`${file}${ending}`, `${file}.moved`);
    await expect(addRex(store)).rejects.toThrow(StoreError);
    await expect(store.checkWritable()).rejects.toThrow('was moved, deleted or replaced');
  });

  it('without a table that adds need is not ready', async () => {
    const { file, database } = await makeDatabase();
    const store = await open(database);
    execute(file, 'ALTER TABLE idempotency_keys RENAME TO others');
    await expect(store.checkWritable()).rejects.toThrow();
  });

  itOnPosix('is for its user alone, and so is a backup', async () => {
    const { folder, file, database } = await makeDatabase();
    await writeFile(file, '', { mode: 0o644 });
    await addRex(await open(database));
    await backUp(database, path.join(folder, 'copy.db'));
    for (const name of await readdir(folder))
      expect([name, (await stat(path.join(folder, name))).mode & 0o777]).toEqual([name, 0o600]);
  });

  it('is refused under a second name, a hard link', async () => {
    const { folder, file, database } = await makeDatabase();
    await open(database);
    await link(file, path.join(folder, 'other.db'));
    const other = parseDatabaseUrl(path.join(folder, 'other.db'));
    await expect(open(other)).rejects.toThrow('has a second name');
    await expect(open(other, false)).rejects.toThrow('has a second name');
  });

  it.skipIf(process.getuid?.() !== 0)('gives its lock its own owner', async () => {
    const { file, database } = await makeDatabase();
    await create(database);
    await chown(file, 65_534, 65_534);
    await rm(`${file}-lock`);
    await create(database);
    expect((await stat(`${file}-lock`)).uid).toBe(65_534);
  });

  it('that another program writes to for long fails an add as not stored', async () => {
    const { file, database } = await makeDatabase();
    const store = await open(database);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(addRex(store)).rejects.toMatchObject({
      name: 'StoreError',
      isOutcomeUnknown: false,
    });
    other.exec('ROLLBACK');
    other.close();
    expect(await addRex(store)).toMatchObject([{ kind: 'added', id: 1n }]);
  });
});

it('a failed sync leaves the outcome of an add open', () => {
  // SQLITE_IOERR_FSYNC: an extended result code.
  const error = Object.assign(new Error('disk I/O error'), { errcode: 1034 });
  expect(toStoreError(error, '/nowhere/pets.db')).toMatchObject({
    name: 'StoreError',
    isOutcomeUnknown: true,
  });
});

describe('check', () => {
  it('counts what is there, while the database is served', async () => {
    const { database } = await makeDatabase();
    await addRex(await open(database));
    expect(await checkDatabase(database)).toEqual({ pets: 1n, apiKeys: 0n });
  });

  it('creates nothing where nothing is', async () => {
    const { folder, database } = await makeDatabase();
    await expect(checkDatabase(database)).rejects.toThrow('There is no pet store in');
    expect(await readdir(folder)).toEqual([]);
  });

  it('finds a damaged page', async () => {
    const { file, database } = await makeDatabase();
    await create(database);
    const bytes = await readFile(file);
    bytes.fill(0x5a, 4_096, 8_192);
    await writeFile(file, bytes);
    await expect(checkDatabase(database)).rejects.toThrow('damaged');
  });

  it('finds a byte that was changed, in the stored JSON and in every column', async () => {
    const { file, database } = await makeDatabase();
    const store = await openStore(database, { isExclusive: true });
    const hash = Buffer.alloc(32, 1);
    const times = { createdAt: now, expiresAt: undefined };
    await store.createKey({ hash, name: 'till-3', access: 'write', ...times });
    await store.addPets([{ pet, keyId: 77n, idempotencyKey: 'Once' }], now);
    await store.close();
    const bytes = await readFile(file);
    const time = Buffer.alloc(6);
    time.writeUIntBE(now.getTime(), 0, 6);
    const places = ['"Rex"', 'Rexavailable', 'till-3write', 'Once', time].flatMap((part) =>
      findAll(bytes, part).map((at) => at + 1),
    );
    expect(places.length).toBeGreaterThan(6);
    for (const at of places) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      await writeFile(file, changed);
      await expect(checkDatabase(database)).rejects.toThrow('damaged');
    }
  });

  it('finds an idempotency key without its pet', async () => {
    const { file, database } = await makeDatabase();
    await create(database);
    execute(file, "INSERT INTO idempotency_keys VALUES ('a', 1, 0)");
    await expect(checkDatabase(database)).rejects.toThrow('is damaged');
  });
});

describe('backup', () => {
  it('is a database with all that was stored, beside nothing else', async () => {
    const { folder, database } = await makeDatabase("Tom's pets.db");
    const store = await open(database);
    await addRex(store);
    const target = path.join(folder, 'back up', "Tom's.db");
    await mkdir(path.dirname(target));
    expect(await backUp(database, target)).toEqual({ pets: 1n, apiKeys: 0n });
    expect(await readdir(path.dirname(target))).toEqual(["Tom's.db"]);
    const restored = await open(parseDatabaseUrl(target));
    expect(await restored.findPet(1n)).toBe(await store.findPet(1n));
  });

  it('has its name only when it is on the disk, and then the name is, too', async () => {
    const { folder, database } = await makeDatabase();
    await create(database);
    const target = path.join(folder, 'copy.db');
    const seen = await watchSyncs();
    await backUp(database, target);
    // Windows has no sync of a folder.
    const last = isWindows ? [] : ['sync folder'];
    expect(seen({ copy: target, folder })).toEqual(['sync copy', 'rename copy', ...last]);
  });

  it.each([
    ['a file that is there', 'petstore.db', 'exists already'],
    ['a folder that is not there', 'nowhere/copy.db', 'cannot be written'],
  ])('is refused into %s', async (_case, target, words) => {
    const { folder, database } = await makeDatabase();
    await create(database);
    await expect(backUp(database, path.join(folder, target))).rejects.toThrow(words);
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('is refused of a damaged database, and leaves nothing behind', async () => {
    const { folder, file, database } = await makeDatabase();
    await create(database);
    execute(file, "INSERT INTO idempotency_keys VALUES ('a', 1, 0)");
    await expect(backUp(database, path.join(folder, 'copy.db'))).rejects.toThrow('is damaged');
    expect((await readdir(folder)).filter((name) => name.includes('copy'))).toEqual([]);
  });

  it('is refused where there is no database', async () => {
    const { folder, database } = await makeDatabase();
    await expect(backUp(database, path.join(folder, 'copy.db'))).rejects.toThrow('no pet store');
    expect(await readdir(folder)).toEqual([]);
  });
});

function findAll(bytes: Buffer, part: string | Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + 1)) places.push(at);
  return places;
}

function execute(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
