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
  // Windows lets go of a closed database a moment later, at the latest when all folders of a run are removed.
  const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };
  const keepInUse = (error: unknown) => {
    if (!isInUse(error)) throw error;
  };
  return { path: folder, remove: () => rm(folder, options).catch(keepInUse) };
}

/** The path of an empty folder that is removed when the test is over. */
export async function createTemporaryFolder(): Promise<string> {
  const folder = await openTemporaryFolder();
  onTestFinished(folder.remove);
  return folder.path;
}
