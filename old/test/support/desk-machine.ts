import { randomUUID } from 'node:crypto';
import { type BuiltOptions, type BuiltRun, runBuilt } from './built-program.ts';
import { makeFolder } from './make-folder.ts';
import { listProcesses } from './processes.ts';
import { sharedCache } from './shared-cache.ts';

/** A person's machine, on which staging is at a URL: one home folder, and a mark by which its processes are found again. */
export async function openDeskMachine(url: string, env: Record<string, string> = {}) {
  const home = await makeFolder();
  const mark = randomUUID();
  const own = { HOME: home, TEST_MARK: mark, PETSTORE_STAGING_URL: url };
  const variables: Record<string, string> = { ...own, ...sharedCache, ...env };
  return {
    home,
    variables,
    findProcesses: () => listProcesses(mark),
    run: (line: string, options: Partial<BuiltOptions> = {}) =>
      runBuilt(line, { ...options, env: { ...variables, ...options.env } }),
  };
}

/**
 * How long this machine, busy as it is now, may take for what the program itself does beside waiting: four times what it
 * takes for next to nothing. In milliseconds; some 200 when it is idle.
 */
export async function measureLoad(run: (line: string) => Promise<BuiltRun>): Promise<number> {
  return (await run('help')).time * 4;
}
