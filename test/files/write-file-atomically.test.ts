import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFileWhole } from '../../src/files/create-file-whole.ts';
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

it('a new file is on the disk before it gets its name, and the name before it is reported', async () => {
  const file = path.join(await makeFolder(), 'copy');
  const listSteps = watchSteps();
  await createFileWhole(file, async (draft) => fs.writeFileSync(draft, 'new'));
  expect(listSteps()).toEqual(['writeFileSync', 'fsyncSync', 'linkSync', 'fsyncSync']);
});
