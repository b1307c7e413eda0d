import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../errors.ts';
import { isMissing } from './is-missing.ts';
import { withLock } from './with-lock.ts';

/**
 * Replaces the text of a file by what `change` makes of it (undefined for a file that is not there yet),
 * whole or not at all, one process at a time. The file is its owner's alone (0600).
 * @throws UserError `cli_file` when it cannot be written; what `change` throws.
 */
export async function changeFile(
  file: string,
  change: (text: string | undefined) => string,
): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    // People keep such files elsewhere and link to them; renaming onto the link would cut it.
    const real = await findRealFile(file);
    await withLock(`${real}.lock`, async () => {
      await replaceFile(real, change(await readTextIfThere(real)));
    });
  } catch (cause) {
    if (cause instanceof UserError || !isSystemError(cause)) throw cause;
    throw new UserError('cli_file', `${file} cannot be written: ${cause.message}`, {
      details: ['PETSTORE_CONFIG_DIR names another folder for it'],
      cause,
    });
  }
}

async function findRealFile(file: string): Promise<string> {
  return await realpath(file).catch(() => file);
}

async function readTextIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Synced before the rename, or a power cut could leave an empty file under the right name. */
async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
