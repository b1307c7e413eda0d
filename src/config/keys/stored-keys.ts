import type { KeyRecord } from '../files/config-file.ts';
import type { KeyFile } from './key-file.ts';
import { accountFor, type KeyOwner, type KeyRecords } from './key-records.ts';
import type { Keychain } from './keychain.ts';
import { explainNotReturned, withAlternatives } from './keychain-failures.ts';

export type KeyStorage = KeyRecord['storage'];

export interface NewKey {
  value: string;
  lastFour: string;
  storage: KeyStorage;
  storedAt: Date;
}

/** Keys that `auth login` stores. The config file records what was stored where. */
export interface StoredKeys {
  /** The key, and where it is stored. @throws UserError when the storage fails, or returns nothing for a key that was stored. */
  read(owner: KeyOwner): Promise<{ value: string; storage: KeyStorage } | undefined>;
  /** Stores the key and its record; both or neither. Returns the other environments that share this key. */
  store(owner: KeyOwner, key: NewKey): Promise<string[]>;
  /** Removes every key of an environment, and that of the given base URL. Returns the accounts that had one. */
  remove(environment: string, url?: string): Promise<string[]>;
  /** Calls the keychain without needing a key. @throws UserError `cli_keychain_…` when it cannot be used. */
  probeKeychain(environment: string): Promise<void>;
}

export interface StoredKeysInput {
  openStorage(storage: KeyStorage): Promise<Keychain | KeyFile>;
  records: KeyRecords;
}

export function createStoredKeys(input: StoredKeysInput): StoredKeys {
  const { records, openStorage } = input;
  const loadChanges = () => import('./change-stored-keys.ts');
  const read = async (owner: KeyOwner) => {
    const account = accountFor(owner);
    const record = records.get(account);
    const storage = record?.storage ?? 'keychain';
    const value = await (await openStorage(storage)).get(account);
    if (value !== undefined) return { value, storage };
    if (record?.storage === 'keychain') throw explainNotReturned(owner.name, record);
    return undefined;
  };
  return {
    read: (owner) => withAlternatives(owner.name, () => read(owner)),
    store: (owner, key) =>
      withAlternatives(owner.name, async () => (await loadChanges()).storeKey(input, owner, key)),
    remove: async (environment, url) => (await loadChanges()).removeKeys(input, environment, url),
    probeKeychain: (environment) =>
      withAlternatives(environment, async () => {
        await (await openStorage('keychain')).get('probe');
      }),
  };
}
