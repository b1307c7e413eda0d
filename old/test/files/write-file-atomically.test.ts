import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { changeFile } from '../../src/files/change-file.ts';
import { createFileWhole } from '../../src/files/create-file-whole.ts';
import { STALE_MS } from '../../src/files/with-lock.ts';
import { writeFileAtomically } from '../../src/files/write-file-atomically.ts';
import { makeFolder } from '../support/make-folder.ts';

const steps = ['writeFileSync', 'fdatasyncSync', 'renameSync', 'linkSync', 'fsyncSync'] as const;

/** Watches the steps that reach the file system; returns those taken, in their order. */
function watchSteps(): () => string[] {
  const spies = steps.map((step) => ({ step, spy: vi.spyOn(fs, step) }));
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return () =>
    spies
      .flatMap(({ step, spy }) => spy.mock.invocationCallOrder.map((at) => ({ step, at })))
      .sort((one, other) => one.at - other.at)
      .map(({ step }) => step);
}

it('syncs the text before the rename and the folder after it, so that a power cut leaves old or new', async () => {
  const file = path.join(await makeFolder(), 'note');
  const listSteps = watchSteps();
  writeFileAtomically(file, 'new');
  expect(listSteps()).toEqual(['writeFileSync', 'fdatasyncSync', 'renameSync', 'fsyncSync']);
  expect(fs.readFileSync(file, 'utf8')).toBe('new');
});

it('waits for no disk when the text need not be durable', async () => {
  const file = path.join(await makeFolder(), 'note');
  const listSteps = watchSteps();
  writeFileAtomically(file, 'new', { isDurable: false });
  expect(listSteps()).toEqual(['writeFileSync', 'renameSync']);
});

/** What the system says of a step that fails. */
function failure(step: string, code: string) {
  return Object.assign(new Error(`${code}: ${step}`), { code, syscall: step });
}

it.each([
  ['replacing a file', (file: string) => writeFileAtomically(file, 'new')],
  ['creating a file', (file: string) => createFileWhole(file, async () => {})],
  ['changing a file', (file: string) => changeFile(file, () => 'new', '')],
])('%s that fails is reported, whatever hinders tidying up', async (_, write) => {
  const file = path.join(await makeFolder(), 'note');
  const full = failure('rename', 'ENOSPC');
  for (const step of ['renameSync', 'linkSync'] as const)
    vi.spyOn(fs, step).mockImplementation(() => {
      throw full;
    });
  vi.spyOn(fs, 'rmSync').mockImplementation(() => {
    throw failure('unlink', 'EROFS');
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  await expect((async () => write(file))()).rejects.toThrow(/ENOSPC: rename|: no space is left/);
});

it('a lock is released well before it counts as left behind, though nobody lets go of the files on Windows', async () => {
  const file = path.join(await makeFolder(), 'note');
  let clock = 0;
  let released = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => clock);
  vi.spyOn(Atomics, 'wait').mockImplementation((...[, , , wait = 0]) => {
    clock += wait;
    return 'timed-out';
  });
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  vi.spyOn(fs, 'renameSync').mockImplementation(() => {
    throw failure('rename', 'EPERM');
  });
  vi.spyOn(fs, 'rmSync').mockImplementation((name) => {
    if (String(name).endsWith('.lock')) released = clock;
    throw failure('unlink', 'EPERM');
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  await expect(changeFile(file, () => 'new', '')).rejects.toThrow('does not permit it');
  expect(released).toBeGreaterThan(0);
  expect(released).toBeLessThan(0.7 * STALE_MS);
});

it('a new file is on the disk before it gets its name, and the name before it is reported', async () => {
  const file = path.join(await makeFolder(), 'copy');
  const listSteps = watchSteps();
  await createFileWhole(file, async (draft) => fs.writeFileSync(draft, 'new'));
  expect(listSteps()).toEqual(['writeFileSync', 'fsyncSync', 'linkSync', 'fsyncSync']);
});
