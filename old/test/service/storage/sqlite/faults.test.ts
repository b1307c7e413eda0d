import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../src/service/storage/databases.ts';
import { StoreOpenError } from '../../../../src/service/storage/store.ts';
import { call, expectFailure, post, type TestResponse } from '../../../support/http.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { makeKey } from '../../../support/make-key.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { startServeProcess } from '../../../support/serve-process.ts';
import { startService } from '../../../support/service.ts';
import { findMountObstacle, mountSmallDisk } from '../../../support/small-disk.ts';

const rex = '{"name":"Rex","categoryId":7}';

async function createDatabase(): Promise<{ file: string; url: string; key: string }> {
  const file = path.join(await makeFolder(), 'petstore.db');
  const url = `sqlite:${file}`;
  return { file, url, key: makeKey(url) };
}

/** Starts a service on a database file, to be closed when the test is over. */
async function serve(database: string) {
  const service = await startService({ database });
  onTestFinished(service.close);
  return service;
}

describe('two services on one database', () => {
  it('the second is refused and told what to do', async () => {
    const { url } = await createDatabase();
    await serve(url);
    const second = startService({ database: url });
    await expect(second).rejects.toThrow(StoreOpenError);
    await expect(second).rejects.toThrow(/another petstore serve is using.*--database/);
  });

  it('the next may start as soon as the first has stopped', async () => {
    const { url } = await createDatabase();
    await (await startService({ database: url })).close();
    await serve(url);
  });

  it('a process that was killed leaves no lock behind', async () => {
    const { url } = await createDatabase();
    const first = await startServeProcess({ database: url });
    await expect(startServeProcess({ database: url })).rejects.toThrow(/another petstore serve/i);
    expect(await first.stop('SIGKILL')).toBe('SIGKILL');
    await serve(url);
  });
});

describe('a database that cannot be used', () => {
  it('of a newer program is refused and not touched', async () => {
    const { file, url } = await createDatabase();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    await expect(startService({ database: url })).rejects.toThrow(/version 99.*newer petstore/);
    await expect(openStore(url, { isShared: true })).rejects.toThrow(/version 99/);
    const after = new DatabaseSync(file);
    expect(after.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: 99 });
    after.close();
  });

  it('one schema version newer is refused by every command and left byte for byte as it was', async () => {
    const { file, url } = await createDatabase();
    const database = new DatabaseSync(file);
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    database.exec(`PRAGMA user_version = ${version + 1}`);
    // Into the file itself: what is only in its log may be moved there by whoever closes last.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const before = await readFile(file);
    const refusal = new RegExp(`version ${version + 1}.*newer petstore`);
    await expect(startService({ database: url })).rejects.toThrow(refusal);
    for (const line of ['keys list', 'keys create --name till', 'keys revoke 1']) {
      const run = await runPetstore([...line.split(' '), '--database', url]);
      expect(run).toMatchObject({ stdout: '', stderr: expect.stringMatching(refusal) });
      expect(run.exitCode).not.toBe(0);
    }
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  it('that is not a database is refused and left as it is', async () => {
    const { file, url } = await createDatabase();
    await writeFile(file, 'this is a letter, not a database. '.repeat(100));
    await expect(startService({ database: url })).rejects.toThrow(/not a SQLite database/);
    expect(await readFile(file, 'utf8')).toMatch(/^this is a letter/);
  });

  it('that is damaged where its keys are is refused', async () => {
    const { file, url, key } = await createDatabase();
    const before = await startServeProcess({ database: url });
    await Promise.all(Array.from({ length: 200 }, () => post({ url: before.url, key }, rex)));
    await before.stop();
    const bytes = await readFile(file);
    // Everything after the first page, which holds the schema.
    bytes.fill(0xa5, bytes.readUInt16BE(16));
    await writeFile(file, bytes);
    await expect(startServeProcess({ database: url })).rejects.toThrow(/damaged: restore a backup/);
  });
});

it('a database that is damaged where a pet is gives 503 for it, and works elsewhere', async () => {
  const { file, url, key } = await createDatabase();
  const before = await startServeProcess({ database: url });
  const body = JSON.stringify({ name: 'x'.repeat(255), categoryId: 1 });
  await Promise.all(Array.from({ length: 200 }, () => post({ url: before.url, key }, body)));
  await before.stop();
  const bytes = await readFile(file);
  bytes.fill(
    0xa5,
    bytes.lastIndexOf('"id":100,') & ~0xfff,
    (bytes.lastIndexOf('"id":100,') | 0xfff) + 1,
  );
  await writeFile(file, bytes);
  const after = await startServeProcess({ database: url });
  onTestFinished(() => void after.stop('SIGKILL'));
  const own = { url: after.url, key };
  expectFailure(await call(own, '/pets/100'), 503, 'unavailable');
  expect((await call(own, '/pets/1')).status).toBe(200);
  expect(after.stderr()).toContain('it is damaged: restore a backup');
});

describe.skipIf(findMountObstacle())('a disk that is really full', () => {
  it('503 for adds, none of them there later; reads go on; ready again by itself once there is room', async () => {
    const disk = await mountSmallDisk('2m');
    const service = await serve(`sqlite:${disk.folder}/petstore.db`);
    const first = await post(service, rex);
    expect(first.status).toBe(201);
    await disk.fill();
    const whileFull = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post(service, rex, { 'idempotency-key': `key-${index}` }),
      ),
    );
    const refused = whileFull.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThan(0);
    for (const response of refused) {
      expectFailure(response, 503, 'unavailable');
      expect(response.text).not.toContain('may have stored the pet');
    }
    expect((await call(service, '/pets/1')).text).toBe(first.text);
    const root = { ...service, url: service.url.replace('/v1', '') };
    const getReady = async () => (await call(root, '/readyz')).status;
    expect(await getReady()).toBe(503);
    const countWhileFull = JSON.parse((await call(service, '/pets?limit=100')).text).length;
    expect(countWhileFull).toBe(1 + whileFull.length - refused.length);
    await disk.free();
    await expect.poll(getReady, { timeout: 5_000 }).toBe(200);
    const retried = await Promise.all(
      whileFull.map((_, index) => post(service, rex, { 'idempotency-key': `key-${index}` })),
    );
    for (const { status } of retried) expect(status).toBe(201);
    const after = JSON.parse((await call(service, '/pets?limit=100')).text);
    expect(after).toHaveLength(21);
  });
});

describe.skipIf(findMountObstacle())('a disk that is really read-only', () => {
  it('is named when the service starts', async () => {
    const disk = await mountSmallDisk('4m');
    const url = `sqlite:${disk.folder}/petstore.db`;
    makeKey(url);
    disk.remountReadOnly();
    const starting = startService({ database: url });
    await expect(starting).rejects.toThrow(StoreOpenError);
    await expect(starting).rejects.toThrow(/read-only|cannot be opened/);
  });
});

describe.skipIf(process.platform !== 'linux')('a file that may not grow (ulimit -f)', () => {
  it('503 for what does not fit; what was acknowledged is there without the limit', async () => {
    const { url, key } = await createDatabase();
    const within = ['sh', '-c', 'ulimit -f 200; exec "$@"', 'sh'];
    const limited = await startServeProcess({ database: url, within });
    onTestFinished(() => void limited.stop('SIGKILL'));
    const responses: TestResponse[] = [];
    const body = JSON.stringify({ name: 'x'.repeat(255), categoryId: 1 });
    for (let round = 0; round < 40 && responses.every(({ status }) => status === 201); round += 1) {
      const batch = Array.from({ length: 10 }, () => post({ url: limited.url, key }, body));
      responses.push(...(await Promise.all(batch)));
    }
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThan(0);
    for (const response of refused) {
      expectFailure(response, 503, 'unavailable');
      // To the database it is a disk that fails: what was written may be there.
      expect(response.text).toContain('may have stored the pet');
    }
    expect((await call({ url: limited.url, key }, '/pets')).status).toBe(200);
    await limited.stop();
    const service = await serve(url);
    const added = responses.filter(({ status }) => status === 201);
    for (const { text } of added) {
      const id = /"id":(\d+)/.exec(text)?.[1];
      expect((await call(service, `/pets/${id}`)).text).toBe(text);
    }
    expect((await post(service, body)).status).toBe(201);
  });
});
