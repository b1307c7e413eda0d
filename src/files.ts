import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, UserError } from './errors.ts';

/**
 * Creates a folder, for its owner only, and those above it. Not by mkdir's own `recursive`: it calls a read-only file
 * system a missing folder, and never ends below /proc. @throws UserError where there is no such drive, else what the system says.
 */
export function createFolders(folder: string): void {
  const full = path.resolve(folder);
  const { root } = path.parse(full);
  if (!existsSync(root))
    throw new UserError('cli_file', `${full} cannot be created: there is no drive ${root}`);
  const missing: string[] = [];
  for (let one = full; !existsSync(one); one = path.dirname(one)) missing.unshift(one);
  for (const one of missing) createFolder(one);
}

/** Another process may have been faster. */
function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

const ATTEMPTS = 11;
const PAUSE_MS = 100;

/** Windows refuses a file while a spreadsheet, a virus scanner or a backup has it open: it is tried again for a second. */
export async function retryWhileInUse<Result>(
  work: () => Result | Promise<Result>,
  platform = process.platform,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isInUse(error, platform)) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** As `retryWhileInUse`, where nothing can be waited for. */
export function retryWhileInUseSync<Result>(
  work: () => Result,
  platform = process.platform,
): Result {
  for (let attempt = 1; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isInUse(error, platform)) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** Whether another program has the file open, as far as Windows says: it also calls that a missing permission. */
export function isInUse(error: unknown, platform = process.platform): boolean {
  return platform === 'win32' && ['EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error));
}
