import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import * as v from 'valibot';
import { messageOf, UserError } from '../../errors.ts';
import { refuseKind } from '../../files/read-own-file.ts';
import { isMissing } from '../../files/system-error.ts';
import { shellOf } from '../../shell.ts';
import { dictionary } from '../files/dictionary.ts';
import { configFolderAdvice } from '../files/paths.ts';
import type { Keychain } from './keychain.ts';

const Keys = dictionary(v.string());
type Keys = v.InferOutput<typeof Keys>;

/**
 * Keys in a file, for machines without a keychain (`--storage file`).
 * @throws UserError `cli_key_file_unsafe` from every call when others can read the file.
 */
export function createKeyFile(file: string): Keychain {
  const change = async (edit: (keys: Keys) => Keys) => {
    // Refused before writing too: others may know the keys in it by now.
    await readKeys(file);
    // Loaded here: most runs only read.
    const { changeFile } = await import('../../files/change-file.ts');
    const write = (text: string | undefined) =>
      `${JSON.stringify(edit(parseKeys(file, text)), null, 2)}\n`;
    await changeFile(file, write, configFolderAdvice);
  };
  return {
    get: async (account) => new Map(Object.entries(await readKeys(file))).get(account),
    set: (account, secret) => change((keys) => ({ ...keys, [account]: secret })),
    async remove(account) {
      if (!Object.hasOwn(await readKeys(file), account)) return false;
      await change(({ [account]: _, ...others }) => others);
      return true;
    },
  };
}

/** Checks the mode of the very file it reads, not of a name that may point elsewhere a moment later. */
async function readKeys(file: string): Promise<Keys> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const status = await handle.stat();
      const { mode } = status;
      if (!status.isFile()) throw refuseKind(file, status);
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw refuseUnsafe(file, mode);
      return parseKeys(file, await handle.readFile('utf8'));
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (isMissing(cause)) return {};
    if (cause instanceof UserError) throw cause;
    const reason = messageOf(cause);
    throw new UserError('cli_key_file_unsafe', `The key file cannot be read: ${reason}`, { cause });
  }
}

/** An error is reported without its position: the text around it is a key. */
function parseKeys(file: string, text = '{}'): Keys {
  try {
    return v.parse(Keys, JSON.parse(text));
  } catch {
    throw new UserError('cli_key_file_unsafe', `The key file ${file} is damaged`, {
      details: ['move it away and log in again'],
    });
  }
}

function refuseUnsafe(file: string, mode: number): UserError {
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  return new UserError(
    'cli_key_file_unsafe',
    `The key file ${file} can be read by others (mode ${octal}); it is not used`,
    {
      details: ['if others may have read it, replace the keys in it'],
      next: [`chmod 600 ${shellOf().quotePath(file)}`],
    },
  );
}
