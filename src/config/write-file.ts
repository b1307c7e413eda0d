import { readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import { isInUse, retryWhileInUse } from '../files.ts';
import { describeFolderChoice } from './paths.ts';

/**
 * Replaces a file as a whole, or not at all. The target of a symbolic link is written, not the link.
 * @param mode of the file; as it was, or as usual, unless given. @throws UserError `cli_file`.
 */
export async function replaceFile(file: string, text: string, mode?: number): Promise<void> {
  // Loaded here: most runs only read.
  const { default: writeFileAtomic } = await import('write-file-atomic');
  try {
    const target = await followLinks(file);
    const options = mode === undefined ? {} : { mode };
    await retryWhileInUse(() => writeFileAtomic(target, text, options)).catch((error) => {
      // A file that is mounted by itself, as containers do, cannot be renamed onto; nor one in a folder for reading only.
      if (/^(EBUSY|EACCES|EPERM|EROFS)$/.test(error.code)) return writeFile(target, text);
      throw error;
    });
  } catch (cause) {
    throw new UserError('cli_file', `${file} cannot be written: ${messageOf(cause)}.`, {
      details: [
        isInUse(cause)
          ? 'close it there, then run the same line again'
          : describeFolderChoice('config'),
      ],
      cause,
    });
  }
}

/** By hand, because a link may point to a file that does not exist yet. */
async function followLinks(file: string): Promise<string> {
  const target = await readlink(file).catch(() => undefined);
  return target === undefined ? file : followLinks(path.resolve(path.dirname(file), target));
}
