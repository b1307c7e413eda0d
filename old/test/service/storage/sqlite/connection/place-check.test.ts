import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import {
  createPlaceCheck,
  resolveDatabaseFile,
  watchDatabaseFiles,
} from '../../../../../src/service/storage/sqlite/connection/database-file.ts';
import { makeFolder } from '../../../../support/make-folder.ts';

afterEach(() => void vi.useRealTimers());

/** The check of a database's files, and how often each of them was looked at. */
async function openCheck() {
  const file = path.join(await makeFolder(), 'petstore.db');
  for (const ending of ['', '-wal', '-shm', '-lock']) await writeFile(file + ending, '');
  const files = watchDatabaseFiles(file);
  const looks = { count: 0 };
  const check = createPlaceCheck(file, {
    ...files,
    checkInPlace() {
      looks.count += 1;
      files.checkInPlace();
    },
  });
  return { file, check, looks };
}

it('while nothing happens in their folder, the files themselves are looked at once', async () => {
  const { check, looks } = await openCheck();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  for (let batch = 0; batch < 5; batch += 1) check();
  expect(looks.count).toBe(1);
});

it('and again after a second: what is mounted over them leaves the folder as it was', async () => {
  const { check, looks } = await openCheck();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  for (let batch = 0; batch < 5; batch += 1) {
    check();
    vi.setSystemTime(Date.now() + 400);
  }
  expect(looks.count).toBe(2);
});

it('shortly after a change of the folder each time: a further one may have the same time', async () => {
  const { check, looks } = await openCheck();
  for (let batch = 0; batch < 5; batch += 1) check();
  expect(looks.count).toBe(5);
});

it.each(['', '-wal', '-shm', '-lock'])(
  'a file %j that is moved or replaced is noticed by the next batch, and that it is back',
  async (ending) => {
    const { file, check } = await openCheck();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    check();
    await rename(file + ending, `${file}-away`);
    expect(check).toThrow(`${file}${ending} was moved, deleted or replaced`);
    await writeFile(file + ending, '');
    expect(check).toThrow('was moved, deleted or replaced');
    await rename(`${file}-away`, file + ending);
    check();
  },
);

it('a folder that is moved away or replaced is noticed by the next batch, and that it is back', async () => {
  const { file, check } = await openCheck();
  const folder = path.dirname(file);
  onTestFinished(() => rm(`${folder}-away`, { recursive: true, force: true }));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  check();
  await rename(folder, `${folder}-away`);
  for (let batch = 0; batch < 2; batch += 1)
    expect(check).toThrow(`${file} was moved, deleted or replaced`);
  await mkdir(folder);
  expect(check).toThrow('was moved, deleted or replaced');
  await rm(folder, { recursive: true });
  await rename(`${folder}-away`, folder);
  check();
});

it('also one that is moved away shortly after it has changed', async () => {
  const { file, check } = await openCheck();
  const folder = path.dirname(file);
  check();
  await rename(folder, `${folder}-away`);
  expect(check).toThrow(`${file} was moved, deleted or replaced`);
  await rename(`${folder}-away`, folder);
});

it('a file that was not there from the start may come', async () => {
  const { file } = await openCheck();
  await rm(`${file}-shm`);
  const { checkInPlace } = watchDatabaseFiles(file);
  checkInPlace();
  await writeFile(`${file}-shm`, '');
  checkInPlace();
});

it('links that lead to themselves are told as they are', async () => {
  const file = path.join(await makeFolder(), 'loop.db');
  await symlink(file, file);
  expect(() => resolveDatabaseFile(file)).toThrow('ELOOP');
});

it('a file that may not be written is said to be read-only', async () => {
  const { file } = await openCheck();
  const { checkWritable } = watchDatabaseFiles(file);
  checkWritable();
  await rm(file);
  expect(checkWritable).toThrow('the database cannot be used: it is read-only');
});
