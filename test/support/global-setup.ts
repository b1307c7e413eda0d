import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleProgram } from '../../scripts/bundle.ts';
import { isWindows } from './system.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the program that this run tests: what a build would put into `dist`. */
    program: string;
  }
}

// In the repository, so that the program finds the packages with native code.
const parent = path.resolve(import.meta.dirname, '../../node_modules/.cache');

/** Builds the program once for the whole run, from the sources as they are. */
export default async function setup(project: TestProject): Promise<() => void> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(path.join(parent, 'petstore-test-'));
  project.provide('program', folder);
  await bundleProgram(folder).catch((error) => process.stderr.write(`${error.message}\n`));
  await mkdir(path.join(folder, 'cache'));
  // A test runs it as another user.
  await chmod(folder, 0o755);
  const folders = [folder, await useTemporaryFolder()];
  // Vitest ends at once by these.
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      removeAll(folders);
      process.exit(1);
    });
  return () => removeAll(folders);
}

/** What still runs writes into them for a moment. */
function removeAll(folders: readonly string[]): void {
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Makes one folder for all that tests put into the temporary one, so that nothing is left of a run that is stopped. */
async function useTemporaryFolder(): Promise<string> {
  const name = isWindows ? 'TEMP' : 'TMPDIR';
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'petstore-tests-'));
  // As /tmp is: PostgreSQL's user removes its own.
  await chmod(folder, 0o1777);
  process.env[name] = folder;
  return folder;
}
