import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { UserError } from '../errors.ts';

/** In milliseconds. A lock is held for the time of one small write, so an old one belongs to a process that died. */
const times = { stale: 5_000, patience: 10_000, pause: 15 };

/**
 * Runs an action while no other petstore on this machine runs one under the same lock file.
 * The lock is the file itself, made with O_EXCL: the libraries for this do the same and are no longer kept.
 * @throws UserError `cli_file` when somebody else holds it for ten seconds.
 */
export async function withLock<T>(lockFile: string, action: () => Promise<T>): Promise<T> {
  const giveUp = Date.now() + times.patience;
  while (!(await tryLock(lockFile))) {
    if (await isStale(lockFile)) await removeStale(lockFile);
    else if (Date.now() > giveUp) throw refuseHeld(lockFile);
    else await pause(times.pause * (1 + Math.random()));
  }
  try {
    return await action();
  } finally {
    await rm(lockFile, { force: true });
  }
}

async function tryLock(lockFile: string): Promise<boolean> {
  try {
    await (await open(lockFile, 'wx')).close();
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isStale(lockFile: string): Promise<boolean> {
  const made = await stat(lockFile).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs > times.stale;
}

/** Two processes may both see one stale lock: the later rename can take the other's new lock away, and must give it back. */
async function removeStale(lockFile: string): Promise<void> {
  const staleLock = `${lockFile}.${randomUUID()}`;
  try {
    await rename(lockFile, staleLock);
    if (!(await isStale(staleLock))) await link(staleLock, lockFile);
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(staleLock, { force: true });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function refuseHeld(lockFile: string): UserError {
  return new UserError('cli_file', `Another petstore has held ${lockFile} for too long`, {
    details: ['if none is running, remove that file'],
  });
}
