import { randomUUID } from 'node:crypto';
import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, UserError } from '../errors.ts';
import { retryWhileInUse } from '../files.ts';

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
  await takeLock(lock, token);
  try {
    return await change();
  } finally {
    // A process that was paused for ten seconds, as by Ctrl-Z, may find the lock of another one here.
    ignoreErrors(() => readFileSync(lock, 'utf8') === token && rmSync(lock));
  }
}

/** Where the folder cannot be written there is no lock: its files perhaps can be. */
async function takeLock(lock: string, token: string): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (;;) {
    const create = () => createLock(lock, token);
    const error = await retryWhileInUse(create).catch((error: unknown) => error);
    if (codeOf(error) !== 'EEXIST') return;
    if (performance.now() > giveUpAt) throw explainBusy(lock);
    ignoreErrors(() => removeStaleLock(lock));
    await sleep(POLL_MS * (1 + Math.random()));
  }
}

/** On a full disk the file would stay, without the token by which it is removed. */
function createLock(lock: string, token: string): void {
  const descriptor = openSync(lock, 'wx');
  try {
    writeSync(descriptor, token);
  } catch (error) {
    rmSync(lock);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function removeStaleLock(lock: string): void {
  if (ageOf(lock) < STALE_MS) return;
  const removed = `${lock}.${process.pid}`;
  renameSync(lock, removed);
  try {
    // Another process removed the stale lock a moment before: what was renamed is its new one.
    if (ageOf(removed) < STALE_MS) linkSync(removed, lock);
  } finally {
    rmSync(removed);
  }
}

function ageOf(file: string): number {
  return Date.now() - statSync(file).mtimeMs;
}

function ignoreErrors(run: () => unknown): void {
  try {
    run();
  } catch {}
}

function explainBusy(lock: string): UserError {
  const folder = path.dirname(lock);
  return new UserError('cli_file', `Another petstore is changing the files in ${folder}.`, {
    details: ['nothing was changed; run the same line again', `if none is running, remove ${lock}`],
    retryable: true,
  });
}
