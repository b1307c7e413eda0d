import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { canRun } from '../../../support/can-run.ts';
import { call, post } from '../../../support/http.ts';
import { makeKey } from '../../../support/make-key.ts';
import { startServeProcess } from '../../../support/serve-process.ts';
import { findMountObstacle, mountDiskInFile } from '../../../support/small-disk.ts';

/** How long the disk hangs at most, in seconds. */
const SECONDS = 7;

/** Lets the disk hang until stdin ends, or comes back by itself: nothing can end a process that waits for it. */
function hang(folder: string): ChildProcess {
  const script = 'fsfreeze -f "$1" && echo && timeout "$2" cat; fsfreeze -u "$1"';
  return spawn('sh', ['-c', script, 'sh', folder, `${SECONDS}`]);
}

it.skipIf(findMountObstacle() ?? !canRun('mkfs.ext4', 'fsfreeze'))(
  'while its disk hangs, a service is not ready, but reads and responds; the add that waited is stored',
  async (test) => {
    const folder = await mountDiskInFile();
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
    hanging.stdin?.end();
    expect((await adding).status).toBe(201);
    await expect.poll(getReady, { timeout: 5_000 }).toBe(200);
    expect(await service.stop()).toBe(0);
  },
);
