import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder of this test's own, gone when it is over. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
