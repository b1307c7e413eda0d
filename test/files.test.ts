import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolders, retryWhileInUse, retryWhileInUseSync } from '../src/files.ts';
import { itOnLinux, itOnWindows } from './support/system.ts';
import { createTemporaryFolder } from './support/temporary-folder.ts';

describe('createFolders', () => {
  it('creates what is missing, and takes what is there', async () => {
    const folder = path.join(await createTemporaryFolder(), 'a/b/c');
    createFolders(folder);
    createFolders(folder);
    expect((await stat(folder)).isDirectory()).toBe(true);
  });

  it('says at once what a file in the way is', async () => {
    const file = path.join(await createTemporaryFolder(), 'file');
    await writeFile(file, '');
    expect(() => createFolders(path.join(file, 'a/b'))).toThrow(/ENOTDIR|ENOENT/);
  });

  itOnLinux('ends where nothing can be created', () => {
    expect(() => createFolders('/proc/petstore/a/b')).toThrow('ENOENT');
  });

  itOnWindows('names a drive that is not there', () => {
    expect(() => createFolders('Q:\\a\\b')).toThrow('there is no drive Q:\\');
  });
});

describe('a file that another program has open', () => {
  const inUse = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' });
  const failTwice = () => {
    const errors = [inUse('EBUSY'), inUse('EPERM')];
    return () => {
      const error = errors.pop();
      if (error !== undefined) throw error;
      return 'read';
    };
  };

  it('is tried again on Windows', async () => {
    expect(await retryWhileInUse(failTwice(), 'win32')).toBe('read');
    expect(retryWhileInUseSync(failTwice(), 'win32')).toBe('read');
  });

  it('is given up after about a second', async () => {
    const started = Date.now();
    const work = () => Promise.reject(inUse('EACCES'));
    await expect(retryWhileInUse(work, 'win32')).rejects.toThrow('EACCES');
    expect(Date.now() - started).toBeGreaterThan(900);
  });

  it.each([
    ['EPERM', 'linux'],
    ['ENOENT', 'win32'],
  ] as const)('%s on %s is no such file', async (code, platform) => {
    let calls = 0;
    const work = () => {
      calls += 1;
      throw inUse(code);
    };
    await expect(retryWhileInUse(work, platform)).rejects.toThrow(code);
    expect(calls).toBe(1);
  });
});
