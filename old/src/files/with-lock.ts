import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import { discardFile, replaceFile, retryWhileOpen } from './retry-while-open.ts';
import { isSystemError } from './system-error.ts';

/** A lock is held for one small write, so an older one was left by a process that died. */
export const STALE_MS = 5_000;
const TIMEOUT_MS = 10_000;
const RETRY_MS = 15;

/**
 * Runs an action while no other petstore runs one under the same lock file, which is created with O_EXCL.
 * @throws UserError `cli_file` when another process holds the lock for ten seconds.
 */
export async function withLock(lockFile: string, action: () => void): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!tryLock(lockFile)) {
    if (isStale(lockFile)) removeStaleLock(lockFile);
    else if (Date.now() > deadline)
      throw new UserError('cli_file', `Another petstore has held ${lockFile} for too long`, {
        details: ['if none is running, remove that file'],
      });
    else await pause(RETRY_MS * (1 + Math.random()));
  }
  try {
    action();
  } finally {
    discardFile(lockFile);
  }
}

function tryLock(lockFile: string): boolean {
  try {
    // Windows keeps the name of a removed lock while somebody looks at it.
    closeSync(retryWhileOpen(() => openSync(lockFile, 'wx')));
    return true;
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false;
    throw error;
  }
}

function isStale(lockFile: string): boolean {
  try {
    return Date.now() - statSync(lockFile).mtimeMs > STALE_MS;
  } catch {
    return false;
  }
}

/** Two processes may both see one stale lock: the later rename can take the other's new lock away, and must put it back. */
function removeStaleLock(lockFile: string): void {
  const staleLock = `${lockFile}.${randomUUID()}`;
  try {
    replaceFile(lockFile, staleLock);
    if (!isStale(staleLock)) linkSync(staleLock, lockFile);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'EEXIST')) throw error;
  } finally {
    discardFile(staleLock);
  }
}
