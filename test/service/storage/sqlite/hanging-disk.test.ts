import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { canRun } from '../../../support/can-run.ts';
import { call, post } from '../../../support/http.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { makeKey } from '../../../support/make-key.ts';
import { startServeProcess } from '../../../support/serve-process.ts';
import { findMountObstacle } from '../../../support/small-disk.ts';

/** How long the disk hangs, in seconds: it comes back by itself, since nothing can end a process that waits for it. */
const SECONDS = 7;

function hang(folder: string): ChildProcess {
  return spawn('sh', [
    '-c',
    'fsfreeze -f "$1" && echo && sleep "$2"; fsfreeze -u "$1"',
    'sh',
    folder,
    `${SECONDS}`,
  ]);
}

/** A disk in a file, mounted until the test is over; undefined where this machine has no such disks. */
async function mountDisk(): Promise<string | undefined> {
  const folder = await makeFolder();
  const [disk, mounted] = [path.join(folder, 'disk'), path.join(folder, 'mounted')];
  await mkdir(mounted);
  const commands = [
    ['truncate', '-s', '16M', disk],
    ['mkfs.ext4', '-q', disk],
    ['mount', '-o', 'loop', disk, mounted],
  ] as const;
  if (commands.some(([program, ...args]) => spawnSync(program, args).status !== 0))
    return undefined;
  onTestFinished(() => void spawnSync('umount', [mounted]));
  return mounted;
}

it.skipIf(findMountObstacle() ?? !canRun('mkfs.ext4', 'fsfreeze'))(
  'while its disk hangs, a service is not ready, but reads and responds; the add that waited is stored',
  async (test) => {
    const folder = await mountDisk();
    if (folder === undefined) return test.skip('this machine mounts no files');
    const database = `sqlite:${folder}/petstore.db`;
    const key = makeKey(database);
    const service = await startServeProcess({ database });
    onTestFinished(() => void service.stop('SIGKILL'));
    const target = { url: service.url, key };
    const root = { url: service.url.replace('/v1', ''), key };
    const add = () => post(target, '{"name":"Rex","categoryId":7}');
    expect((await add()).status).toBe(201);
    const hanging = hang(folder);
    await once(hanging.stdout ?? hanging, 'data');
    const adding = add();
    const getReady = async () => (await call(root, '/readyz')).status;
    await expect.poll(getReady, { timeout: 6_000 }).toBe(503);
    expect((await call(root, '/healthz')).status).toBe(200);
    expect(await call(target, '/pets?limit=7')).toMatchObject({ status: 200, body: [{ id: 1 }] });
    expect(hanging.exitCode).toBeNull();
    expect((await adding).status).toBe(201);
    await expect.poll(getReady, { timeout: 5_000 }).toBe(200);
    expect(await service.stop()).toBe(0);
  },
);
