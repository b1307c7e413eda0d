import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runPetstore, type TestVariables } from '../support/run-petstore.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** Starts the program the way load.cjs does, with a cache folder of the test's own. */
describe('the compile cache', () => {
  let home = '';
  let folder = '';
  beforeEach(async () => {
    home = await createTemporaryFolder();
    folder = path.join(home, '.cache/petstore');
  });

  const run = (line: string, variables: TestVariables = {}) =>
    runPetstore(line, { home, variables: { XDG_CACHE_HOME: '', ...variables } });
  const listFiles = async () => {
    const names = await readdir(folder).catch(() => []);
    return names.map((name) => path.join(folder, name));
  };
  const fillCache = async () => {
    await run('--version');
    const [file = ''] = await listFiles();
    return { file, bytes: await readFile(file), inode: (await stat(file)).ino };
  };
  const expectReplaced = async (inode: number) => {
    expect(await run('--version')).toMatchObject({ stderr: '', exitCode: 0 });
    const [file = ''] = await listFiles();
    const { ino, mode } = await stat(file);
    expect(ino).not.toBe(inode);
    expect(mode & 0o777).toBe(0o600);
  };

  it('is used by the next run, which has nothing to write', async () => {
    const { file, inode } = await fillCache();
    await run('--version');
    expect((await stat(file)).ino).toBe(inode);
  });

  it('is its owner’s alone', async () => {
    const { file } = await fillCache();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('has a file for a known command and none for any other word', async () => {
    await run('a-word-that-is-no-command');
    expect(await listFiles()).toEqual([]);
  });

  it('is not written by a run that failed', async () => {
    await run('list --no-such-option');
    expect(await listFiles()).toEqual([]);
  });

  it('is completed by a run that needs more of the program', async () => {
    await run('list --help');
    const [file = ''] = await listFiles();
    const bytes = await readFile(file);
    await writeFile(file, shrinkRecordedSize(bytes));
    await run('list --help');
    expect(await readFile(file)).not.toEqual(shrinkRecordedSize(bytes));
  });

  it("leaves another build's alone for a month, then removes it", async () => {
    const { file } = await fillCache();
    const nameOf = (build: string) => file.replace(/\w+$/, build);
    const [young, old] = [nameOf('0123456789abcdef'), nameOf('fedcba9876543210')] as const;
    await copyFile(file, young);
    await rename(file, old);
    await utimes(old, new Date('2026-01-01'), new Date('2026-01-01'));
    await run('--version');
    expect((await listFiles()).toSorted()).toEqual([file, young].toSorted());
  });

  const damages: Record<string, (file: string, bytes: Buffer) => Promise<void>> = {
    'one bit is wrong': async (file, bytes) => {
      bytes.writeUInt8(bytes.readUInt8(5_000) ^ 1, 5_000);
      await writeFile(file, bytes);
    },
    'it is truncated': (file, bytes) => writeFile(file, bytes.subarray(0, -100)),
    'it is empty': (file) => writeFile(file, ''),
    'others can write it': (file) => chmod(file, 0o666),
    'it is a symbolic link': async (file) => {
      await rename(file, path.join(home, 'target'));
      await symlink(path.join(home, 'target'), file);
    },
  };
  it.each(Object.keys(damages))('is not used but replaced where %s', async (name) => {
    const { file, bytes, inode } = await fillCache();
    await damages[name]?.(file, bytes);
    await expectReplaced(inode);
  });

  it('is replaced where V8 does not take it', async () => {
    const { file, bytes, inode } = await fillCache();
    // The version and the flags of V8 are in the first bytes of the code, of which the file has two copies.
    for (const at of [4, bytes.length / 2 + 4]) bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    await writeFile(file, bytes);
    await expectReplaced(inode);
  });

  it('is not needed: a folder in its place changes nothing', async () => {
    const { file } = await fillCache();
    await rm(file);
    await mkdir(path.join(file, 'inner'), { recursive: true });
    expect(await run('--version')).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it.each([
    ['no home', { HOME: '' }],
    ['a home that does not exist', { HOME: '/nonexistent/home' }],
    ['a home that cannot be written', { HOME: '/proc/self' }],
    ['a cache folder below a file', { XDG_CACHE_HOME: '/dev/null/cache' }],
    ['a file as the cache folder', { XDG_CACHE_HOME: '/etc/hostname' }],
    ['a device as the cache folder', { XDG_CACHE_HOME: '/dev/full' }],
    ['a name too long for a file', { XDG_CACHE_HOME: `/tmp/${'x'.repeat(300)}` }],
    ['a text that is no path', { XDG_CACHE_HOME: '/tmp/\u0001' }],
  ])('is not needed: %s changes nothing', async (_, variables) => {
    expect(await run('--version', variables)).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it.each(['loop', 'loop/inner'])('is not needed: %s of links changes nothing', async (name) => {
    await symlink('loop', path.join(home, 'loop'));
    const variables = { XDG_CACHE_HOME: path.join(home, name) };
    expect(await run('--version', variables)).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('is not needed: a folder that may not be read changes nothing', async () => {
    const closed = path.join(home, 'closed');
    await mkdir(path.join(closed, 'petstore'), { recursive: true });
    await chmod(closed, 0);
    const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
    const variables = { XDG_CACHE_HOME: closed };
    await chmod(home, 0o755);
    const ended = await runPetstore('--version', { home, variables, before: asUser, cwd: '/' });
    await chmod(closed, 0o700);
    expect(ended).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('makes a cache folder that does not exist yet, for its owner alone', async () => {
    await run('--version', { XDG_CACHE_HOME: path.join(home, 'new') });
    expect(await readdir(path.join(home, 'new/petstore'))).toHaveLength(1);
    expect((await stat(path.join(home, 'new'))).mode & 0o777).toBe(0o700);
  });

  it('lies where XDG_CACHE_HOME says', async () => {
    await run('--version', { XDG_CACHE_HOME: home });
    expect(await readdir(path.join(home, 'petstore'))).toHaveLength(1);
  });

  it('is nobody else’s: with the home of another user there is none', async () => {
    // Root may give a folder away; anybody else may write into one of root's, that of temporary files.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(home, 1000, 1000);
    const foreign = isRoot ? home : '/tmp';
    await run('--version', { HOME: foreign });
    expect(existsSync(path.join(foreign, '.cache'))).toBe(false);
  });
});

/** Both halves of the file end with the amount of code it had. */
function shrinkRecordedSize(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeDoubleLE(1, bytes.length / 2 - 8);
  changed.writeDoubleLE(1, bytes.length - 8);
  return changed;
}
