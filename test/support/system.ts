import { describe, it, TestRunner } from 'vitest';

export const isWindows = process.platform === 'win32';
export const isLinux = process.platform === 'linux';

/** The standalone program that is tested in place of the one that Node runs. */
export const standalone = process.env.PETSTORE_TEST_BINARY;

/** Whether that is a program of Windows, on another system: `scripts/test-windows.ts`. */
export const isWine = !isWindows && standalone?.endsWith('.exe') === true;

/** For modes of files, links, pipes, devices, and files that are moved while they are open. */
export const itOnPosix = it.skipIf(isWindows);

export const itOnWindows = it.runIf(isWindows);

/** For a computer without a keychain: other systems always have one. */
export const itOnLinux = it.runIf(isLinux);

/** For a real keyring. */
export const describeOnLinux = describe.skipIf(!isLinux);

const override = '-dac_override,-dac_read_search';

/** Words before a program for which modes hold also where root runs it. */
export const boundByModes: readonly string[] =
  process.getuid?.() === 0
    ? ['setpriv', `--inh-caps=${override}`, `--bounding-set=${override}`]
    : [];

/** Skips the running test where the system lacks what it needs. */
export function skipUnless(condition: boolean, reason: string): void {
  if (!condition) TestRunner.getCurrentTest()?.context.skip(reason);
}

/** The variables that say where a person's folders are. */
export function describeHome(home: string): Record<string, string> {
  if (isWine) return { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_DATA_HOME: home };
  if (!isWindows) return { HOME: home };
  // Without APPDATA the folders are those of POSIX. NODE_OPTIONS has what Wine needs: scripts/test-windows.ts.
  const { SystemRoot = '', TEMP = '', NODE_OPTIONS = '' } = process.env;
  return { SystemRoot, TEMP, NODE_OPTIONS, USERPROFILE: home };
}
