import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { canMount, ownMounts } from '../support/mount-namespace.ts';
import { runPetstore } from '../support/run-petstore.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { readPets, startAddLoad } from './add-load.ts';

const rounds = Number(process.env.PETSTORE_TEST_ROUNDS ?? 2);

async function createDatabase(): Promise<{ database: string; key: string }> {
  const database = `sqlite:${path.join(await createTemporaryFolder(), 'petstore.db')}`;
  const words = ['keys', 'create', '--name', 'till', '--database', database];
  return { database, key: (await runPetstore(words)).stdout.trim() };
}

/** Serves a copy of a database from a disk of 4 MiB, which ends with the service. */
async function startOnSmallDisk(database: string) {
  const folder = await createTemporaryFolder();
  const mount =
    'mount -t tmpfs -o size=4m petstore-test "$1" && cp "$0" "$1" && shift && exec "$@"';
  const service = await startServe(`sqlite:${folder}/petstore.db`, [], {
    before: [...ownMounts, 'sh', '-c', mount, database.replace('sqlite:', ''), folder],
  });
  return { service, disk: `/proc/${service.process.child.pid}/root${folder}` };
}

it('loses no acknowledged pet and adds none twice when it is killed under load', async () => {
  const { database, key } = await createDatabase();
  let service: ServeProcess = await startServe(database);
  const load = startAddLoad(() => service.url, key);
  for (let round = 0; round < rounds; round += 1) {
    await load.waitForMore(50 + Math.floor(Math.random() * 200));
    await service.kill();
    service = await startServe(database);
  }
  await load.waitForMore(50);
  await load.stop();
  expect(await readPets(service.url, key)).toEqual(new Map(load.acknowledged));
}, 600_000);

it('is refused on a database that another one uses, and leaves that one alone', async () => {
  const { database, key } = await createDatabase();
  const first = await startServe(database);
  const second = await runPetstore(['serve', '--port', '0', '--database', database]);
  expect(second).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Another petstore serve is using'),
  });
  expect((await readPets(first.url, key)).size).toBe(0);
});

it.runIf(canMount())(
  'refuses adds with 503 on a full disk, serves reads, and goes on when there is room',
  async () => {
    const { database, key } = await createDatabase();
    const { service, disk } = await startOnSmallDisk(database);
    const load = startAddLoad(() => service.url, key);
    onTestFinished(load.stop);
    await load.waitForMore(20);
    const filler = path.join(disk, 'filler');
    await writeFile(filler, Buffer.alloc(8 << 20)).catch(() => {});
    const ready = () => fetch(new URL('/readyz', service.url));
    await waitFor(async () => expect((await ready()).status).toBe(503));
    expect((await readPets(service.url, key)).size).toBeGreaterThanOrEqual(load.acknowledged.size);
    await rm(filler);
    await load.waitForMore(20);
    await load.stop();
    expect(await readPets(service.url, key)).toEqual(new Map(load.acknowledged));
  },
);

it('finishes what is in flight when it is stopped under load', async () => {
  const { database, key } = await createDatabase();
  let service = await startServe(database);
  const load = startAddLoad(() => service.url, key, 16);
  await load.waitForMore(100);
  expect(await service.stop()).toBe(0);
  service = await startServe(database);
  await load.stop();
  expect(await readPets(service.url, key)).toEqual(new Map(load.acknowledged));
});

it('backs up under load what is acknowledged, and the copy serves', async () => {
  const { database, key } = await createDatabase();
  const service = await startServe(database);
  const load = startAddLoad(() => service.url, key);
  onTestFinished(load.stop);
  const folder = await createTemporaryFolder();
  for (let round = 0; round < rounds; round += 1) {
    await load.waitForMore(100);
    const before = new Map(load.acknowledged);
    const file = path.join(folder, `backup-${round}.db`);
    const backup = await runPetstore(['db', 'backup', file, '--database', database]);
    expect(backup).toMatchObject({ exitCode: 0 });
    const restored = await startServe(`sqlite:${file}`);
    const pets = await readPets(restored.url, key);
    for (const [name, id] of before) expect(pets.get(name)).toBe(id);
    await restored.stop();
  }
}, 600_000);
