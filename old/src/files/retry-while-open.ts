import { renameSync, rmSync } from 'node:fs';
import { isSystemError } from './system-error.ts';

/**
 * A virus scanner or an indexer has a new file open for some milliseconds. Under a lock several files may be waited for in
 * turn, and all of it must end well before the lock counts as one that was left behind.
 */
const TIMEOUT_MS = 1_000;
const RETRY_MS = 10;

/** Renames a file, onto another if that exists. */
export function replaceFile(from: string, to: string): void {
  retryWhileOpen(() => renameSync(from, to));
}

/** Removes a file if it is there. */
export function removeFile(file: string): void {
  retryWhileOpen(() => rmSync(file, { force: true }));
}

/** Removes a file that is in nobody's way if it stays, so that what matters more is reported: whether the work was done. */
export function discardFile(file: string): void {
  try {
    removeFile(file);
  } catch {
    // A draft with a name of its own, or a lock that the next command takes over.
  }
}

/** Windows refuses to replace or remove a file that anybody has open, if only to read it: there it is tried again for a while. */
export function retryWhileOpen<Result>(
  action: () => Result,
  platform = process.platform,
  timeout = TIMEOUT_MS,
): Result {
  const deadline = Date.now() + timeout;
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (platform !== 'win32' || !isHeldOpen(error) || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/** What Windows says of a file that is open elsewhere, or whose removal waits for who has it open. */
function isHeldOpen(error: unknown): boolean {
  return isSystemError(error, 'EPERM', 'EACCES', 'EBUSY');
}
