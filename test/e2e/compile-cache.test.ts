import { chmod, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isStandalone, runBuilt } from '../support/built-program.ts';
import { startHttpServer } from '../support/http-server.ts';
import { makeFolder } from '../support/make-folder.ts';
import { stagingAt } from '../support/staging.ts';

const packs = ['always.pack', 'often.pack'];

/** What was kept below a home: each file's name without its hash, rights and inode, which tells a new file from an old. */
async function listKept(home: string) {
  const folder = path.join(home, '.cache/petstore');
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const { mode, ino } = await stat(path.join(folder, name));
      return { file: path.join(folder, name), pack: name.split('-')[0], mode: mode & 0o777, ino };
    }),
  );
}

async function runList(home: string) {
  const { url } = await startHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  return await runBuilt('list --json', { env: { HOME: home, ...stagingAt(url) } });
}

describe.skipIf(isStandalone)('the compiled code that is kept between runs', () => {
  it('is of what the run has loaded, for its owner alone', async () => {
    const home = await makeFolder();
    await runBuilt('--version', { env: { HOME: home } });
    expect(await listKept(home)).toMatchObject([{ pack: 'always.pack', mode: 0o600 }]);
    expect((await runList(home)).stdout).toBe('[]\n');
    expect((await listKept(home)).map(({ pack }) => pack)).toEqual(packs);
  });

  it('is taken by the next run, which has nothing to write', async () => {
    const home = await makeFolder();
    await runList(home);
    const first = await listKept(home);
    expect(await runList(home)).toMatchObject({ stdout: '[]\n', stderr: '', exitCode: 0 });
    expect(await listKept(home)).toEqual(first);
  });

  it('grows with the commands that are run, and keeps what it has', async () => {
    const home = await makeFolder();
    await runBuilt('env list', { env: { HOME: home } });
    const first = await listKept(home);
    await runList(home);
    const second = await listKept(home);
    expect(second.map(({ ino }) => ino)).not.toEqual(first.map(({ ino }) => ino));
    await runBuilt('env list', { env: { HOME: home } });
    await runList(home);
    expect(await listKept(home)).toEqual(second);
  });

  it.each([
    ['is damaged', async (file: string) => writeFile(file, 'nonsense')],
    ['others may write', async (file: string) => chmod(file, 0o666)],
  ])('is not taken where it %s, but made anew', async (_, spoil) => {
    const home = await makeFolder();
    await runList(home);
    const first = await listKept(home);
    for (const { file } of first) await spoil(file);
    expect(await runList(home)).toMatchObject({ stdout: '[]\n', stderr: '', exitCode: 0 });
    const second = await listKept(home);
    expect(second).toMatchObject(packs.map((pack) => ({ pack, mode: 0o600 })));
    expect(second.map(({ ino }) => ino)).not.toEqual(first.map(({ ino }) => ino));
  });

  it("leaves another build's alone for a month, then removes it", async () => {
    const home = await makeFolder();
    await runList(home);
    const [{ file } = { file: '' }] = await listKept(home);
    const [young, old] = ['0123456789abcdef', 'fedcba9876543210'].map((hash) =>
      file.replace(/-\w+$/, `-${hash}`),
    );
    for (const other of [young, old, file]) await writeFile(other ?? '', '');
    await utimes(old ?? '', new Date('2026-01-01'), new Date('2026-01-01'));
    await runList(home);
    const left = (await listKept(home)).map((kept) => kept.file);
    expect(left).toContain(young);
    expect(left).not.toContain(old);
  });

  it('lies where XDG_CACHE_HOME says', async () => {
    const home = await makeFolder();
    const cache = path.join(home, 'cache');
    await runBuilt('--version', { env: { HOME: home, XDG_CACHE_HOME: cache } });
    expect(await readdir(path.join(cache, 'petstore'))).toHaveLength(1);
    expect(await readdir(home)).toEqual(['cache']);
  });

  it('is none where there is no home, or Node was told to keep none', async () => {
    const home = await makeFolder();
    const off = { HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' };
    expect(await runBuilt('--version', { env: {} })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await runBuilt('--version', { env: off })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readdir(home)).toEqual([]);
  });

  it('is missed by nobody where it cannot be written', async () => {
    const home = await makeFolder();
    await writeFile(path.join(home, '.cache'), 'not a folder');
    const run = await runBuilt('--version', { env: { HOME: home } });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('makes no home for those that have none', async () => {
    const folder = await makeFolder();
    const run = await runBuilt('--version', { env: { HOME: path.join(folder, 'nobody') } });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readdir(folder)).toEqual([]);
  });
});
