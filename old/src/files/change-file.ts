import { realpathSync } from 'node:fs';
import path from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import { readOwnFile } from './read-own-file.ts';
import { isMissing, isSystemError } from './system-error.ts';
import { withLock } from './with-lock.ts';
import { createPrivateFolder, writeFileAtomically } from './write-file-atomically.ts';

/**
 * Replaces the text of a file with what `change` returns for it (undefined for a file that does not exist yet),
 * atomically and durably, one process at a time. `advice` is what to do when it cannot be written.
 * @throws UserError `cli_file` when it cannot be written; what `change` throws.
 */
export async function changeFile(
  file: string,
  change: (text: string | undefined) => string,
  advice: string,
): Promise<void> {
  try {
    createPrivateFolder(path.dirname(file));
    // People keep such files elsewhere and link to them; renaming onto the link would replace it.
    const target = resolveLink(file);
    await withLock(`${target}.lock`, () => {
      writeFileAtomically(target, change(readTextIfPresent(target)));
    });
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    throw new UserError('cli_file', `${file} cannot be written: ${messageOf(cause)}`, {
      details: [advice],
      cause,
    });
  }
}

function resolveLink(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function readTextIfPresent(file: string): string | undefined {
  try {
    return readOwnFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
