import { open } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { messageOf, UserError } from '../errors.ts';
import type { KeyStore } from './key-store.ts';
import { createFolder, findFolder } from './paths.ts';
import type { Variables } from './variables.ts';
import { replaceFile } from './write-file.ts';

const StoredKeys = v.record(v.string(), v.string());
type StoredKeys = v.InferOutput<typeof StoredKeys>;

/** Keys in keys.json, for computers without a keychain: private, and refused when others can read it. */
export function openKeyFile(variables: Variables): KeyStore {
  const read = async () => {
    const file = findKeyFile(variables);
    return file === undefined ? {} : await readKeys(file);
  };
  const write = async (keys: StoredKeys) => {
    const folder = await createFolder(variables, 'config');
    await replaceFile(path.join(folder, 'keys.json'), `${JSON.stringify(keys, null, 2)}\n`, 0o600);
  };
  return {
    get: async (account) => (await read())[account],
    set: async (account, key) => write({ ...(await read()), [account]: key }),
    async remove(account) {
      const { [account]: removed, ...others } = await read();
      if (removed !== undefined) await write(others);
      return removed !== undefined;
    },
  };
}

/** The path of keys.json, whether or not it exists. */
export function findKeyFile(variables: Variables): string | undefined {
  const folder = findFolder(variables, 'config');
  return folder && path.join(folder, 'keys.json');
}

/** Checks the mode of the very file it reads, not of a name that may point elsewhere a moment later. */
async function readKeys(file: string): Promise<StoredKeys> {
  try {
    await using handle = await open(file);
    const { mode } = await handle.stat();
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw refuseUnsafe(file);
    return parseKeys(file, await handle.readFile('utf8'));
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {};
    throw new UserError('cli_key_file_unsafe', `${file} cannot be read: ${messageOf(cause)}.`, {
      cause,
    });
  }
}

/** A mistake is reported without its place: the text around it is a key. */
function parseKeys(file: string, text: string): StoredKeys {
  try {
    return v.parse(StoredKeys, JSON.parse(text));
  } catch {
    throw new UserError('cli_key_file_unsafe', `${file} is damaged.`, {
      details: ['move it away, then log in again'],
      try: [['petstore', 'login']],
    });
  }
}

function refuseUnsafe(file: string): UserError {
  return new UserError('cli_key_file_unsafe', `Others can read the key file ${file}.`, {
    details: ['it is not used; if others may have read it, ask for new keys'],
    try: [['chmod', '600', file]],
  });
}
