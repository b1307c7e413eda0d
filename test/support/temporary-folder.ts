import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { isInUse } from '../../src/files.ts';

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** An empty folder for several tests: `afterAll(folder.remove)`. */
export async function openTemporaryFolder(): Promise<TemporaryFolder> {
  // macOS has a symbolic link on the way to its temporary folder.
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'petstore-test-'));
  // Windows removes no file that is open, as a database is until the statements of its closed connection are collected:
  // such a folder goes with all others of the run.
  const keepInUse = (error: unknown) => {
    if (!isInUse(error)) throw error;
  };
  const remove = () => rm(folder, { recursive: true, force: true }).catch(keepInUse);
  return { path: folder, remove };
}

/** The path of an empty folder that is removed when the test is over. */
export async function createTemporaryFolder(): Promise<string> {
  const folder = await openTemporaryFolder();
  onTestFinished(folder.remove);
  return folder.path;
}
