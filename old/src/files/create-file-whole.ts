import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, lstatSync, openSync } from 'node:fs';
import path from 'node:path';
import { discardFile, replaceFile } from './retry-while-open.ts';
import { isSystemError } from './system-error.ts';
import { syncFolder } from './write-file-atomically.ts';

/** How a file ends that has not got its name yet, and never will if its writer was killed. */
const ENDING = '.partial';

/**
 * Creates a file that only its owner can read: `write` fills it under another name, and it gets its own once it is whole
 * and on the disk. One that exists is never replaced: the system's EEXIST is thrown.
 */
export async function createFileWhole<Result>(
  file: string,
  write: (draft: string) => Promise<Result>,
): Promise<Result> {
  refuseExisting(file);
  const draft = `${file}.${randomUUID()}${ENDING}`;
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    const result = await write(draft);
    syncFile(draft);
    giveName(draft, file);
    syncFolder(path.dirname(file));
    return result;
  } finally {
    discardFile(draft);
  }
}

function refuseExisting(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
  throw Object.assign(new Error(`EEXIST: file already exists, '${file}'`), {
    code: 'EEXIST',
    syscall: 'open',
  });
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A link fails where a file appeared meanwhile, which a rename would replace. */
function giveName(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // Some file systems, of memory sticks and network shares among them, have no links.
    if (!isSystemError(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR')) throw error;
    refuseExisting(file);
    replaceFile(draft, file);
  }
}
