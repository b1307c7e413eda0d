import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, UserError } from '../errors.ts';

/** A change takes milliseconds: an older lock was left by a process that was killed. */
const STALE_MS = 10_000;
const GIVE_UP_MS = 10_000;
const POLL_MS = 20;

/**
 * Changes files of a folder while no other petstore does. Only for a read and a write: nobody is asked meanwhile, and no
 * service. @throws UserError `cli_file` after ten seconds.
 */
export async function withLock<T>(folder: string, change: () => Promise<T>): Promise<T> {
  const lock = path.join(folder, 'lock');
  const token = randomUUID();
  const isLocked = await takeLock(lock, token);
  try {
    return await change();
  } finally {
    if (isLocked) await releaseLock(lock, token).catch(() => {});
  }
}

/** False where the folder cannot be written: its files perhaps can. */
async function takeLock(lock: string, token: string): Promise<boolean> {
  const startedAt = performance.now();
  for (;;) {
    const code = await createLock(lock, token);
    if (code === undefined) return true;
    if (['EACCES', 'EPERM', 'EROFS'].includes(code) && !isThere(lock)) return false;
    if (performance.now() - startedAt > GIVE_UP_MS) throw explainBusy(lock);
    removeStaleLock(lock);
    await sleep(POLL_MS * (1 + Math.random()));
  }
}

/** Why it cannot be created; undefined once it is. */
async function createLock(lock: string, token: string): Promise<string | undefined> {
  try {
    await writeFile(lock, token, { flag: 'wx' });
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // Windows says EPERM of a file that is just being removed.
    if (/^(EEXIST|EACCES|EPERM|EROFS)$/.test(code)) return code;
    throw new UserError('cli_file', `${lock} cannot be created: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** Who cannot rename it waits. */
function removeStaleLock(lock: string): void {
  try {
    if (ageOf(lock) < STALE_MS) return;
    const removed = `${lock}.${process.pid}`;
    renameSync(lock, removed);
    // Another process renamed the old one a moment before, and this is its own.
    if (ageOf(removed) < STALE_MS) linkSync(removed, lock);
    rmSync(removed);
  } catch {
    // It was released, or its folder cannot be written: the next attempt shows.
  }
}

function ageOf(file: string): number {
  return Date.now() - statSync(file).mtimeMs;
}

function isThere(lock: string): boolean {
  try {
    return statSync(lock, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** After a pause of ten seconds, as by Ctrl-Z, it may be another process's. */
async function releaseLock(lock: string, token: string): Promise<void> {
  if ((await readFile(lock, 'utf8')) === token) await rm(lock);
}

function explainBusy(lock: string): UserError {
  const folder = path.dirname(lock);
  return new UserError('cli_file', `Another petstore is changing the files in ${folder}.`, {
    details: ['nothing was changed; run the same line again', `if none is running, remove ${lock}`],
  });
}
