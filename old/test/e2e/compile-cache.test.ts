import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtCommand, isStandalone, runBuilt } from '../support/built-program.ts';
import { listCached, runList } from '../support/cached-code.ts';
import { startHttpServer } from '../support/http-server.ts';
import { makeFolder } from '../support/make-folder.ts';
import { stagingAt } from '../support/staging.ts';

const packs = ['always.pack', 'often.pack'];

/** A run that has loaded all of `list` and waits for a response that does not come. */
async function startUnansweredList(home: string) {
  let onRequest = () => {};
  const requested = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  const { url } = await startHttpServer(() => onRequest());
  const [file = '', ...words] = builtCommand;
  const child = spawn(file, [...words, 'list', '--json'], {
    env: { PATH: process.env.PATH, HOME: home, ...stagingAt(url) },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await requested;
  return child;
}

/** The next run gives the same result, and new files in place of these. */
async function expectRebuilt(home: string, old: readonly { time: bigint }[]) {
  expect(await runList(home)).toMatchObject({ stdout: '[]\n', stderr: '', exitCode: 0 });
  const rebuilt = await listCached(home);
  expect(rebuilt).toMatchObject(packs.map((pack) => ({ pack, mode: 0o600, isFile: true })));
  const times = rebuilt.map(({ time }) => time);
  for (const { time } of old) expect(times).not.toContain(time);
}

const rounds = Number(process.env.PETSTORE_TEST_ROUNDS ?? 2);

async function replaceByte(file: string, at: number, change: (byte: number) => number) {
  const bytes = await readFile(file);
  bytes.writeUInt8(change(bytes.readUInt8(at)), at);
  await writeFile(file, bytes);
}

async function randomOffset(file: string): Promise<number> {
  return randomInt((await stat(file)).size);
}

/** What may become of a cached file. */
const damages: Record<string, (file: string) => Promise<void>> = {
  '20 random bytes': async (file) => {
    for (let count = 0; count < 20; count += 1)
      await replaceByte(file, await randomOffset(file), (byte) => byte ^ randomInt(1, 256));
  },
  'one bit': async (file) =>
    replaceByte(file, await randomOffset(file), (byte) => byte ^ (1 << randomInt(8))),
  truncated: async (file) => truncate(file, await randomOffset(file)),
  nonsense: async (file) => writeFile(file, 'nonsense'),
  'a FIFO': async (file) => {
    await rm(file);
    execFileSync('mkfifo', ['-m', '600', file]);
  },
  'a folder': async (file) => {
    await rm(file);
    await mkdir(path.join(file, 'inner'), { recursive: true });
  },
  'a symbolic link': async (file) => {
    const target = path.join(await makeFolder(), 'target');
    await rename(file, target);
    await symlink(target, file);
  },
};

it.skipIf(isStandalone)(
  'help that was written with the build is what the program prints',
  async () => {
    const home = await makeFolder();
    for (const word of ['--help', '-h', '--version', '-V']) {
      const printed = await runBuilt(word, { env: { HOME: home } });
      expect(await readdir(home)).toEqual([]);
      const loaded = await runBuilt(`${word} --color never`, { env: { HOME: home } });
      expect(await readdir(home)).not.toEqual([]);
      expect(printed).toMatchObject({ stdout: loaded.stdout, stderr: '', exitCode: 0 });
      await rm(path.join(home, '.cache'), { recursive: true });
    }
    const help = await runBuilt('--help', { env: { HOME: home } });
    const wide = await runBuilt('--help', { env: { HOME: home, COLUMNS: '100' } });
    expect(wide.stdout).not.toBe(help.stdout);
  },
);

describe.skipIf(isStandalone)('the compile cache', () => {
  it('holds what the run has loaded, for its owner alone', async () => {
    const home = await makeFolder();
    await runBuilt('help', { env: { HOME: home } });
    expect(await listCached(home)).toMatchObject([{ pack: 'always.pack', mode: 0o600 }]);
    expect((await runList(home)).stdout).toBe('[]\n');
    expect((await listCached(home)).map(({ pack }) => pack)).toEqual(packs);
  });

  it('is used by the next run, which has nothing to write', async () => {
    const home = await makeFolder();
    await runList(home);
    const first = await listCached(home);
    expect(await runList(home)).toMatchObject({ stdout: '[]\n', stderr: '', exitCode: 0 });
    expect(await listCached(home)).toEqual(first);
  });

  it('grows with the commands that are run, and loses nothing', async () => {
    const home = await makeFolder();
    await runBuilt('env list', { env: { HOME: home } });
    const first = await listCached(home);
    await runList(home);
    const second = await listCached(home);
    expect(second.map(({ time }) => time)).not.toEqual(first.map(({ time }) => time));
    await runBuilt('env list', { env: { HOME: home } });
    await runList(home);
    expect(await listCached(home)).toEqual(second);
  });

  it('of a long run, whose first functions V8 has dropped, is completed by the next short one and then stays', async () => {
    const home = await makeFolder();
    const busy = path.join(await makeFolder(), 'busy.cjs');
    // The loop, as in a long run, takes more CPU time than the loader takes for a short one.
    const text = 'const { cpuUsage } = process; let used; do used = cpuUsage();';
    await writeFile(busy, `${text} while (used.user + used.system < 2_100_000);\n`);
    const long = { HOME: home, NODE_OPTIONS: `--require=${busy}` };
    await runBuilt('env list', { env: long });
    const first = await listCached(home);
    expect(first).toMatchObject(packs.map((pack) => ({ pack })));
    await runBuilt('env list', { env: { HOME: home } });
    const second = await listCached(home);
    for (const { time } of first) expect(second.map((one) => one.time)).not.toContain(time);
    await runBuilt('env show', { env: long });
    expect(await listCached(home)).toEqual(second);
  });

  it('is not used where others may write it, but rebuilt', async () => {
    const home = await makeFolder();
    await runList(home);
    const first = await listCached(home);
    for (const { file } of first) await chmod(file, 0o666);
    await expectRebuilt(home, first);
  });

  it('is not used where it was cached for another build under this name, but rebuilt', async () => {
    const home = await makeFolder();
    await runList(home);
    const first = await listCached(home);
    for (const { file } of first) {
      const text = await readFile(file, 'latin1');
      const [hash = ''] = /\w+$/.exec(file) ?? [];
      await writeFile(file, text.replaceAll(hash, hash.replaceAll(/./g, '0')), 'latin1');
    }
    await expectRebuilt(home, first);
  });

  it.each(Object.keys(damages))(
    `never changes a result where it was damaged: %s, ${rounds} rounds`,
    async (name) => {
      const home = await makeFolder();
      await runList(home);
      for (let round = 0; round < rounds; round += 1) {
        const cached = await listCached(home);
        const { file = '' } = cached[round % cached.length] ?? {};
        await damages[name]?.(file);
        const damaged = cached.filter((one) => one.file === file);
        await expectRebuilt(home, damaged);
      }
    },
    5_000 + rounds * 1_000,
  );

  it('is removed and rebuilt where a run that used it crashed', async () => {
    const home = await makeFolder();
    await runList(home);
    const first = await listCached(home);
    const child = await startUnansweredList(home);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await expectRebuilt(home, first);
    const second = await listCached(home);
    await runList(home);
    expect(await listCached(home)).toEqual(second);
  });

  it('is used by a run beside another that still uses it', async () => {
    const home = await makeFolder();
    await runList(home);
    const first = await listCached(home);
    const child = await startUnansweredList(home);
    await runList(home);
    const second = (await listCached(home)).filter(({ pack }) => pack !== 'using');
    expect(second).toEqual(first);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    expect((await listCached(home)).map(({ pack }) => pack)).toEqual(packs);
  });

  it("leaves another build's alone for a month, then removes it", async () => {
    const home = await makeFolder();
    await runList(home);
    const [{ file } = { file: '' }] = await listCached(home);
    const [young, old] = ['0123456789abcdef', 'fedcba9876543210'].map((hash) =>
      file.replace(/-\w+$/, `-${hash}`),
    );
    for (const other of [young, old, file]) await writeFile(other ?? '', '');
    await utimes(old ?? '', new Date('2026-01-01'), new Date('2026-01-01'));
    await runList(home);
    const left = (await listCached(home)).map((cached) => cached.file);
    expect(left).toContain(young);
    expect(left).not.toContain(old);
  });

  it('lies where XDG_CACHE_HOME says', async () => {
    const home = await makeFolder();
    const cache = path.join(home, 'cache');
    await runBuilt('help', { env: { HOME: home, XDG_CACHE_HOME: cache } });
    expect(await readdir(path.join(cache, 'petstore'))).toHaveLength(1);
    expect(await readdir(home)).toEqual(['cache']);
  });

  it('does not exist where there is no home, or Node was told to have none', async () => {
    const home = await makeFolder();
    const off = { HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' };
    expect(await runBuilt('help', { env: {} })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await runBuilt('help', { env: off })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readdir(home)).toEqual([]);
  });

  it('changes nothing where it cannot be written', async () => {
    const home = await makeFolder();
    await writeFile(path.join(home, '.cache'), 'not a folder');
    const run = await runBuilt('help', { env: { HOME: home } });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('creates no home for those that have none', async () => {
    const folder = await makeFolder();
    const run = await runBuilt('help', { env: { HOME: path.join(folder, 'nobody') } });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readdir(folder)).toEqual([]);
  });
});
