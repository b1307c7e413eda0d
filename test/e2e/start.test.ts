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
  const good = { stderr: '', exitCode: 0 };
  const listFiles = async () => {
    const names = await fs.readdir(folder).catch(() => []);
    return names.map((name) => path.join(folder, name));
  };
  const fillCache = async () => {
    await run('--version');
    const [file = ''] = await listFiles();
    return { file, inode: (await fs.stat(file)).ino };
  };

  it('is used by the next run, its owner’s alone, and only for what is typed often', async () => {
    await run('a-word-that-is-no-command');
    expect(await listFiles()).toEqual([]);
    const { file, inode } = await fillCache();
    await run('--version');
    const { ino, mode } = await fs.stat(file);
    expect(ino).toBe(inode);
    expect([mode & 0o777, (await fs.stat(folder)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('is replaced where it is damaged, or may not be its owner’s alone', async () => {
    const flip = async (file: string, places: (length: number) => readonly number[]) => {
      const bytes = await fs.readFile(file);
      for (const at of places(bytes.length)) bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await fs.writeFile(file, bytes);
    };
    const link = async (file: string) => {
      await fs.rename(file, path.join(home, 'target'));
      await fs.symlink(path.join(home, 'target'), file);
    };
    const damages: Readonly<Record<string, (file: string) => Promise<void>>> = {
      'one bit is wrong': (file) => flip(file, () => [5_000]),
      // The version and the flags of V8 are in the first bytes of the code, of which the file has two copies.
      'V8 does not take it': (file) => flip(file, (length) => [4, length / 2 + 4]),
      'it is empty': (file) => fs.writeFile(file, ''),
      'others can write it': (file) => fs.chmod(file, 0o666),
      'it is a symbolic link': link,
    };
    for (const [where, damage] of Object.entries(damages)) {
      const { file, inode } = await fillCache();
      await damage(file);
      expect(await run('--version'), where).toMatchObject(good);
      const { ino, mode } = await fs.lstat(file);
      expect({ isSame: ino === inode, mode: mode & 0o777 }, where).toEqual({
        isSame: false,
        mode: 0o600,
      });
    }
  });

  it('is not needed: where it cannot be, nothing changes', async () => {
    const { file } = await fillCache();
    await fs.rm(file);
    await fs.mkdir(path.join(file, 'inner'), { recursive: true });
    await fs.symlink('loop', path.join(home, 'loop'));
    const places: readonly TestVariables[] = [
      // A folder in the place of its file.
      {},
      { HOME: '' },
      { HOME: '/nonexistent/home' },
      { HOME: '/proc/self' },
      { XDG_CACHE_HOME: '/dev/null/cache' },
      { XDG_CACHE_HOME: '/dev/full' },
      { XDG_CACHE_HOME: `/tmp/${'x'.repeat(300)}` },
      { XDG_CACHE_HOME: path.join(home, 'loop') },
    ];
    for (const variables of places)
      expect(await run('--version', variables), JSON.stringify(variables)).toMatchObject(good);
    expect(await listFiles(), 'no draft is left').toEqual([file]);
  });

  it('is nobody else’s, and leaves that of another build alone for a month', async () => {
    const { file } = await fillCache();
    const nameOf = (build: string) => file.replace(/\w+$/, build);
    const [young, old] = [nameOf('0123456789abcdef'), nameOf('fedcba9876543210')] as const;
    await fs.copyFile(file, young);
    await fs.rename(file, old);
    await fs.utimes(old, new Date('2026-01-01'), new Date('2026-01-01'));
    await run('--version');
    expect((await listFiles()).toSorted()).toEqual([file, young].toSorted());
    // Root may give a folder away; anybody else may write into one of root's, that of temporary files.
    const isRoot = process.getuid?.() === 0;
    const foreign = isRoot ? await createTemporaryFolder() : '/tmp';
    if (isRoot) await fs.chown(foreign, 1000, 1000);
    await run('--version', { HOME: foreign });
    expect(existsSync(path.join(foreign, '.cache'))).toBe(false);
  });
});
