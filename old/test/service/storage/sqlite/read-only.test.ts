import { spawnSync } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../src/service/storage/databases.ts';
import { canRun } from '../../../support/can-run.ts';
import { call, expectFailure, post } from '../../../support/http.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { makeKey } from '../../../support/make-key.ts';
import { startServeProcess } from '../../../support/serve-process.ts';

const isRoot = process.getuid?.() === 0;
const rex = '{"name":"Rex","categoryId":7}';

/** A database with one key, whose file may not be written until `setReadOnly` says so or the test is over. */
async function createReadOnlyDatabase(): Promise<{ file: string; url: string; key: string }> {
  const file = path.join(await makeFolder(), 'petstore.db');
  const url = `sqlite:${file}`;
  const key = makeKey(url);
  setReadOnly(file, true);
  onTestFinished(() => setReadOnly(file, false));
  return { file, url, key };
}

describe.skipIf(isRoot && !canRun('chattr'))('a file that is really read-only', () => {
  it('503 for adds while reads go on; all is well once it may be written again', async () => {
    const { file, url, key } = await createReadOnlyDatabase();
    const service = await startServeProcess({ database: url });
    onTestFinished(() => void service.stop('SIGKILL'));
    const own = { url: service.url, key };
    expectFailure(await post(own, rex), 503, 'unavailable');
    expect(await call(own, '/pets')).toMatchObject({ status: 200, text: '[]' });
    expect(service.stderr()).toContain('it is read-only');
    setReadOnly(file, false);
    await expect.poll(async () => (await post(own, rex)).status, { timeout: 5_000 }).toBe(201);
    expect(await service.stop()).toBe(0);
    expect(service.stderr()).toMatch(/"message":"stopped"}$/);
  });

  it('is also written again when it was not even there for a while', async () => {
    const { file, url } = await createReadOnlyDatabase();
    const store = await openStore(url);
    onTestFinished(store.close);
    const tryWrite = () => store.tryWrite().then(() => 'written', String);
    expect(await tryWrite()).toBe(
      'StoreUnavailableError: the database cannot be used: it is read-only',
    );
    setReadOnly(file, false);
    const folder = path.dirname(file);
    onTestFinished(() => rm(`${folder}-away`, { recursive: true, force: true }));
    await rename(folder, `${folder}-away`);
    expect(await tryWrite()).toContain('was moved, deleted or replaced');
    await rename(`${folder}-away`, folder);
    await expect.poll(tryWrite, { timeout: 5_000 }).toBe('written');
  });
});

/** Root writes to a file whatever its mode. */
function setReadOnly(file: string, isReadOnly: boolean): void {
  const [program, mode] = isRoot
    ? ['chattr', isReadOnly ? '+i' : '-i']
    : ['chmod', isReadOnly ? '0444' : '0644'];
  const { status, stderr } = spawnSync(program, [mode, file]);
  if (status !== 0) throw new Error(String(stderr));
}
