import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import {
  createPlaceCheck,
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
