import path from 'node:path';
import { readConfigFile } from '../../../src/config/files/config-file.ts';
import { createKeyFile } from '../../../src/config/keys/key-file.ts';
import type { KeyStorage } from '../../../src/config/keys/key-records.ts';
import { createStoredKeys, type NewKey } from '../../../src/config/keys/stored-keys.ts';
import { UserError } from '../../../src/errors.ts';
import { createFakeKeychain, type FakeKeychainOptions } from '../../support/fake-keychain.ts';
import { makeFolder } from '../../support/make-folder.ts';

export const staging = { name: 'staging', url: 'https://staging.example.com/v1', protected: false };
export const production = {
  name: 'production',
  url: 'https://pets.example.com/v1',
  protected: true,
};
export const account = 'staging@https://staging.example.com';
export const locked = new UserError('cli_keychain_locked', 'The OS keychain is locked');

export function makeKey(value: string, key: Partial<NewKey> = {}): NewKey {
  const storedAt = new Date('2026-11-20T09:00:00Z');
  return { value, lastFour: value.slice(-4), storage: 'keychain', storedAt, ...key };
}

/** The stored keys of a machine of its own, on a keychain and a key file, and how to open them on another keychain. */
export async function openStoredKeys(options: FakeKeychainOptions = {}) {
  const folder = await makeFolder();
  const configFile = path.join(folder, 'config.json');
  const keyFilePath = path.join(folder, 'keys.json');
  const keyFile = createKeyFile(keyFilePath);
  const open = (openOptions: FakeKeychainOptions) => {
    const keychain = createFakeKeychain(openOptions);
    const readConfig = () => readConfigFile(configFile);
    const openStorage = async (storage: KeyStorage) => ({ file: keyFile, keychain })[storage];
    return { keychain, stored: createStoredKeys({ openStorage, configFile, readConfig }) };
  };
  return { folder, configFile, keyFilePath, keyFile, open, ...open(options) };
}
