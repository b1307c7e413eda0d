import path from 'node:path';
import * as v from 'valibot';
import { codeOf, messageOf, UserError } from '../errors.ts';
import { withLock } from './lock-folder.ts';
import { createFolder, findFolder } from './paths.ts';
import { parseStoredJson, readRegularFile } from './read-file.ts';
import type { Variables } from './variables.ts';
import { replaceFile } from './write-file.ts';

const StoredKeys = v.record(v.string(), v.string());
type StoredKeys = v.InferOutput<typeof StoredKeys>;

/** Keys by account, `<environment>@<origin>`. Every call throws UserError of exit 4. */
export interface KeyStore {
  /** Undefined when there is none; a locked keychain says the same. */
  get(account: string): Promise<string | undefined>;
  set(account: string, key: string): Promise<void>;
  remove(account: string): Promise<boolean>;
}

/** Keys in keys.json, for computers without a keychain: private, and refused when others can read it. */
export function openKeyFile(variables: Variables): KeyStore {
  const change = async (change: (keys: StoredKeys) => StoredKeys) => {
    const folder = await createFolder(variables, 'config');
    const file = path.join(folder, 'keys.json');
    await withLock(folder, async () => {
      const text = `${JSON.stringify(change(readKeys(file)), null, 2)}\n`;
      await replaceFile(file, text, 0o600);
    });
  };
  const read = async () => {
    const file = findKeyFile(variables);
    return file === undefined ? {} : readKeys(file);
  };
  return {
    get: async (account) => (await read())[account],
    set: (account, key) => change((keys) => ({ ...keys, [account]: key })),
    async remove(account) {
      if ((await read())[account] === undefined) return false;
      await change(({ [account]: _, ...others }) => others);
      return true;
    },
  };
}

export function findKeyFile(variables: Variables): string | undefined {
  const folder = findFolder(variables, 'config');
  return folder && path.join(folder, 'keys.json');
}

function readKeys(file: string): StoredKeys {
  try {
    const bytes = readRegularFile(file, ({ mode }) => {
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw explainUnsafeFile(file);
    });
    return parseKeys(file, bytes.toString('utf8'));
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    if (codeOf(cause) === 'ENOENT') return {};
    throw new UserError('cli_key_file_unsafe', `${file} cannot be read: ${messageOf(cause)}.`, {
      cause,
    });
  }
}

/** A mistake is reported without its place: the text around it is a key. */
function parseKeys(file: string, text: string): StoredKeys {
  try {
    return v.parse(StoredKeys, parseStoredJson(text));
  } catch {
    throw new UserError('cli_key_file_unsafe', `${file} is damaged.`, {
      details: ['move it away, then log in again'],
      try: [['petstore', 'login']],
    });
  }
}

function explainUnsafeFile(file: string): UserError {
  return new UserError('cli_key_file_unsafe', `Others can read the key file ${file}.`, {
    details: ['it is not used; if others may have read it, ask for new keys'],
    try: [['chmod', '600', file]],
  });
}
