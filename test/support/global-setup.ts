import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleProgram } from '../../scripts/bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the program that this run tests: what a build would put into `dist`. */
    program: string;
  }
}

// In the repository, so that the program finds the packages with native code.
const parent = path.resolve(import.meta.dirname, '../../node_modules/.cache');

/** Builds the program once for the whole run, from the sources as they are. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(path.join(parent, 'petstore-test-'));
  project.provide('program', folder);
  await bundleProgram(folder).catch((error) => process.stderr.write(`${error.message}\n`));
  await mkdir(path.join(folder, 'cache'));
  // A test runs it as another user.
  await chmod(folder, 0o755);
  return () => rm(folder, { recursive: true, force: true });
}
