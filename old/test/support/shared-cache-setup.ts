import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { SHARED_CACHE } from './shared-cache.ts';

/** The folder of the compile cache that the run's tests share, gone at the end of the run. */
export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  // Called for each project of vitest.config.ts; the workers of all inherit the variable.
  if (!project.isRootProject()) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-cache-'));
  process.env[SHARED_CACHE] = folder;
  return () => rm(folder, { recursive: true });
}
