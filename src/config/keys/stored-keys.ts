import { UserError } from '../../errors.ts';
import type { KeyRecord } from '../files/config-file.ts';
import { makeFingerprint } from './fingerprint.ts';
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

/** Keys that `auth login` keeps between runs. What was kept, and where, stands in the config file. */
export interface StoredKeys {
  /** The key, and where it is kept. @throws UserError when the storage cannot answer, or gives nothing for a key that was stored. */
  read(owner: KeyOwner): Promise<{ value: string; storage: KeyStorage } | undefined>;
  /** Stores the key and remembers that it did; both or neither. */
  store(owner: KeyOwner, key: NewKey): Promise<void>;
  /** Removes every key of an environment, and that of the given address. Returns the accounts that had one. */
  remove(environment: string, url?: string): Promise<string[]>;
  /** Asks the keychain for nothing in particular. @throws UserError `cli_keychain_…` when it cannot be used. */
  probeKeychain(environment: string): Promise<void>;
}

export interface StoredKeysInput {
  keychain: Keychain;
  keyFile: KeyFile;
  records: KeyRecords;
}

export function createStoredKeys(input: StoredKeysInput): StoredKeys {
  const { records, keychain, keyFile } = input;
  const storages = { keychain, file: keyFile };
  const read = async (owner: KeyOwner) => {
    const account = accountFor(owner);
    const record = records.get(account);
    const storage = record?.storage ?? 'keychain';
    const value = await storages[storage].get(account);
    if (value !== undefined) return { value, storage };
    if (record?.storage === 'keychain') throw explainNotReturned(owner.name, record);
    return undefined;
  };
  const store = async (owner: KeyOwner, key: NewKey) => {
    const account = accountFor(owner);
    const before = records.get(account)?.storage;
    await storeWithRecord(storages[key.storage], records, account, key);
    if (before !== undefined && before !== key.storage) {
      // Of no more use there. It may be there that nothing works, which is why the key moves.
      await storages[before].remove(account).catch(() => false);
    }
  };
  return {
    read: (owner) => withAlternatives(owner.name, () => read(owner)),
    store: (owner, key) => withAlternatives(owner.name, () => store(owner, key)),
    probeKeychain: (environment) =>
      withAlternatives(environment, async () => void (await keychain.get('probe'))),
    async remove(environment, url) {
      const accounts = new Set(records.listAccounts(environment));
      if (url && URL.canParse(url)) accounts.add(accountFor({ name: environment, url }));
      const removed: string[] = [];
      for (const account of accounts) {
        if (await removeWithRecord(input, account)) removed.push(account);
      }
      return removed;
    },
  };
}

async function storeWithRecord(
  storage: Keychain | KeyFile,
  records: KeyRecords,
  account: string,
  { value, lastFour, storage: place, storedAt }: NewKey,
): Promise<void> {
  const replaced = await storage.get(account);
  await storage.set(account, value);
  try {
    const fingerprint = makeFingerprint(value);
    const record = { storage: place, storedAt: storedAt.toISOString(), lastFour, fingerprint };
    await records.write(account, record);
  } catch (error) {
    throw await undo(error, () =>
      replaced === undefined ? storage.remove(account) : storage.set(account, replaced),
    );
  }
}

async function removeWithRecord(
  { keychain, keyFile, records }: StoredKeysInput,
  account: string,
): Promise<boolean> {
  const record = records.get(account);
  const isRemoved =
    record?.storage === 'file'
      ? await keyFile.remove(account)
      : await removeSurely(keychain, account, record !== undefined);
  if (record) await records.write(account, undefined);
  return isRemoved || record !== undefined;
}

/** A locked keychain removes nothing and says no more than "there was nothing"; only writing to it tells them apart. */
async function removeSurely(
  keychain: Keychain,
  account: string,
  isKnown: boolean,
): Promise<boolean> {
  if (await keychain.remove(account)) return true;
  if (!isKnown) return false;
  await keychain.set(account, 'removed');
  return await keychain.remove(account);
}

/** What to throw after trying to put things back as they were. */
async function undo(error: unknown, restore: () => Promise<unknown>): Promise<unknown> {
  try {
    await restore();
    return error;
  } catch (failure) {
    if (!(error instanceof UserError) || !(failure instanceof Error)) return error;
    const details = [...error.details, `and the new key stays where it is: ${failure.message}`];
    return new UserError(error.code, error.message, { ...error, details, cause: error });
  }
}
