import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** An empty folder for several tests: `afterAll(folder.remove)`. */
export async function openTemporaryFolder(): Promise<TemporaryFolder> {
  // macOS has a symbolic link on the way to its temporary folder.
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'petstore-test-'));
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The path of an empty folder that is removed when the test is over. */
export async function createTemporaryFolder(): Promise<string> {
  const folder = await openTemporaryFolder();
  onTestFinished(folder.remove);
  return folder.path;
}
