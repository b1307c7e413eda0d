import { open } from 'node:fs/promises';
import * as v from 'valibot';
import { messageOf, UserError } from '../../errors.ts';
import { changeFile } from '../../files/change-file.ts';
import { isMissing } from '../../files/is-missing.ts';

/** Keys in a file, for machines without a keychain (`--storage file`). By account, as in the keychain. */
export interface KeyFile {
  readonly path: string;
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** False when there was nothing to remove. */
  remove(account: string): Promise<boolean>;
}

const Keys = v.record(v.string(), v.string());
type Keys = v.InferOutput<typeof Keys>;

/** @throws UserError `cli_key_file_unsafe` from every call when others can read the file. */
export function createKeyFile(file: string): KeyFile {
  const change = async (edit: (keys: Keys) => Keys) => {
    // Refused as well when it is only about to be written: the keys in it are known to others by now.
    await readKeys(file);
    await changeFile(file, (text) => {
      return `${JSON.stringify(edit(parseKeys(file, text)), null, 2)}\n`;
    });
  };
  return {
    path: file,
    get: async (account) => new Map(Object.entries(await readKeys(file))).get(account),
    set: (account, secret) => change((keys) => ({ ...keys, [account]: secret })),
    async remove(account) {
      if (!Object.hasOwn(await readKeys(file), account)) return false;
      await change(({ [account]: _, ...others }) => others);
      return true;
    },
  };
}

/** Looks at the mode of the very file it reads, not of a name that may point elsewhere a moment later. */
async function readKeys(file: string): Promise<Keys> {
  try {
    const handle = await open(file, 'r');
    try {
      const { mode } = await handle.stat();
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

/** A fault is reported without its place: the text around it is a key. */
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
      details: ['if others may have read it, have the keys in it replaced'],
      next: [`chmod 600 ${file}`],
    },
  );
}
