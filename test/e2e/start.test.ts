import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
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
    const names = await fs.readdir(folder).catch(() => []);
    return names.map((name) => path.join(folder, name));
  };
  const fillCache = async () => {
    await run('--version');
    const [file = ''] = await listFiles();
    return { file, inode: (await fs.stat(file)).ino };
  };

  it('is used by the next run, and its owner’s alone', async () => {
    const { file, inode } = await fillCache();
    await run('--version');
    const { ino, mode } = await fs.stat(file);
    expect(ino).toBe(inode);
    expect([mode & 0o777, (await fs.stat(folder)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it.each(['a-word-that-is-no-command', 'list --no-such-option'])(
    'is not written by %s',
    async (line) => {
      await run(line);
      expect(await listFiles()).toEqual([]);
    },
  );

  const change = async (file: string, places: (length: number) => readonly number[]) => {
    const bytes = await fs.readFile(file);
    for (const at of places(bytes.length)) bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    await fs.writeFile(file, bytes);
  };
  it.each<[string, (file: string) => Promise<void>]>([
    ['one bit is wrong', (file) => change(file, () => [5_000])],
    // The version and the flags of V8 are in the first bytes of the code, of which the file has two copies.
    ['V8 does not take it', (file) => change(file, (length) => [4, length / 2 + 4])],
    ['it is empty', (file) => fs.writeFile(file, '')],
    ['others can write it', (file) => fs.chmod(file, 0o666)],
    [
      'it is a symbolic link',
      async (file) => {
        await fs.rename(file, path.join(home, 'target'));
        await fs.symlink(path.join(home, 'target'), file);
      },
    ],
  ])('is not used but replaced where %s', async (_, damage) => {
    const { file, inode } = await fillCache();
    await damage(file);
    expect(await run('--version')).toMatchObject({ stderr: '', exitCode: 0 });
    const { ino, mode } = await fs.stat(file);
    expect(ino).not.toBe(inode);
    expect(mode & 0o777).toBe(0o600);
  });

  it("leaves another build's alone for a month, then removes it", async () => {
    const { file } = await fillCache();
    const nameOf = (build: string) => file.replace(/\w+$/, build);
    const [young, old] = [nameOf('0123456789abcdef'), nameOf('fedcba9876543210')] as const;
    await fs.copyFile(file, young);
    await fs.rename(file, old);
    await fs.utimes(old, new Date('2026-01-01'), new Date('2026-01-01'));
    await run('--version');
    expect((await listFiles()).toSorted()).toEqual([file, young].toSorted());
  });

  it.each<[string, TestVariables]>([
    ['no home', { HOME: '' }],
    ['a home that does not exist', { HOME: '/nonexistent/home' }],
    ['a home that cannot be written', { HOME: '/proc/self' }],
    ['a cache folder below a file', { XDG_CACHE_HOME: '/dev/null/cache' }],
    ['a device as the cache folder', { XDG_CACHE_HOME: '/dev/full' }],
    ['a name too long for a file', { XDG_CACHE_HOME: `/tmp/${'x'.repeat(300)}` }],
  ])('is not needed: %s changes nothing', async (_, variables) => {
    expect(await run('--version', variables)).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('is not needed: neither a folder in its place nor a loop of links changes anything', async () => {
    const { file } = await fillCache();
    await fs.rm(file);
    await fs.mkdir(path.join(file, 'inner'), { recursive: true });
    await fs.symlink('loop', path.join(home, 'loop'));
    for (const XDG_CACHE_HOME of ['', path.join(home, 'loop')])
      expect(await run('--version', { XDG_CACHE_HOME })).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('is nobody else’s: with the home of another user there is none', async () => {
    // Root may give a folder away; anybody else may write into one of root's, that of temporary files.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await fs.chown(home, 1000, 1000);
    const foreign = isRoot ? home : '/tmp';
    await run('--version', { HOME: foreign });
    expect(existsSync(path.join(foreign, '.cache'))).toBe(false);
  });
});
