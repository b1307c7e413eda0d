import { UserError } from '../errors.ts';
import { type ConfigFile, changeConfigFile, type KeyRecord } from './config-file.ts';
import type { Target } from './environments.ts';
import { isFingerprintOf, makeFingerprint } from './fingerprint.ts';
import type { KeyFile } from './key-file.ts';
import type { Keychain } from './keychain.ts';
import { explainWithheld } from './keychain-failures.ts';

export type KeyStorage = KeyRecord['storage'];

/** Keys that `auth login` keeps between runs. What was kept, and where, stands in the config file. */
export interface StoredKeys {
  /** Where the key of this target is kept, or would be. */
  locate(target: Target): { storage: KeyStorage; record: KeyRecord | undefined };
  /** @throws UserError when the storage cannot answer, or gives nothing for a key that was stored. */
  read(target: Target): Promise<string | undefined>;
  /** Stores the key and remembers that it did; both or neither. */
  store(target: Target, key: NewKey): Promise<void>;
  /** Removes every key of an environment, and that of its present origin. Returns the accounts that had one. */
  remove(environment: string, target: Target | undefined): Promise<string[]>;
  /** Other environments for which this same key is stored. */
  findTwins(target: Target, key: string): string[];
}

export interface NewKey {
  value: string;
  lastFour: string;
  storage: KeyStorage;
  storedAt: Date;
}

export interface StoredKeysInput {
  keychain: Keychain;
  keyFile: KeyFile;
  configFile: string;
  readConfig(): ConfigFile;
}

/** The name under which a key is kept. It holds the origin, so a key never goes to another one. */
export function nameAccount({ name, url }: Target): string {
  return `${name}@${new URL(url).origin}`;
}

export function createStoredKeys(input: StoredKeysInput): StoredKeys {
  const { keychain, keyFile, configFile, readConfig } = input;
  const storages = { keychain, file: keyFile };
  const records = () => new Map(Object.entries(readConfig().keys ?? {}));
  const writeRecord = (account: string, record: KeyRecord | undefined) =>
    changeConfigFile(configFile, (config) => setRecord(config, account, record));

  return {
    locate(target) {
      const record = records().get(nameAccount(target));
      return { storage: record?.storage ?? 'keychain', record };
    },
    async read(target) {
      const account = nameAccount(target);
      const record = records().get(account);
      const key = await storages[record?.storage ?? 'keychain'].get(account);
      if (key === undefined && record?.storage === 'keychain') {
        throw explainWithheld(target.name, record.storedAt, record.lastFour);
      }
      return key;
    },
    async store(target, key) {
      const account = nameAccount(target);
      const before = records().get(account);
      const storage = storages[key.storage];
      const replaced = await storage.get(account);
      await storage.set(account, key.value);
      try {
        await writeRecord(account, describeKey(key));
      } catch (error) {
        throw await undo(error, () =>
          replaced === undefined ? storage.remove(account) : storage.set(account, replaced),
        );
      }
      // The key it replaces in the other storage is of no more use.
      if (before && before.storage !== key.storage) await storages[before.storage].remove(account);
    },
    async remove(environment, target) {
      const known = [...records()].filter(([account]) => account.startsWith(`${environment}@`));
      const accounts = new Map<string, KeyRecord | undefined>(known);
      const current = target && nameAccount(target);
      if (current !== undefined && !accounts.has(current)) accounts.set(current, undefined);
      const removed: string[] = [];
      for (const [account, record] of accounts) {
        const isGone =
          record?.storage === 'file'
            ? await keyFile.remove(account)
            : await removeSurely(keychain, account, record !== undefined);
        if (record) await writeRecord(account, undefined);
        if (record || isGone) removed.push(account);
      }
      return removed;
    },
    findTwins(target, key) {
      const others = [...records()].filter(([account]) => !account.startsWith(`${target.name}@`));
      const twins = others.filter(([, { fingerprint }]) => isFingerprintOf(fingerprint, key));
      return [...new Set(twins.map(([account]) => account.split('@', 1).join()))];
    },
  };
}

function describeKey({ value, lastFour, storage, storedAt }: NewKey): KeyRecord {
  return {
    storage,
    storedAt: storedAt.toISOString(),
    lastFour,
    fingerprint: makeFingerprint(value),
  };
}

function setRecord(config: ConfigFile, account: string, record: KeyRecord | undefined): ConfigFile {
  const { [account]: _, ...others } = config.keys ?? {};
  return { ...config, keys: record ? { ...others, [account]: record } : others };
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

async function undo(error: unknown, restore: () => Promise<unknown>): Promise<unknown> {
  try {
    await restore();
    return error;
  } catch (failure) {
    if (!(error instanceof UserError) || !(failure instanceof Error)) return error;
    const details = [...error.details, `and the key stays where it was stored: ${failure.message}`];
    return new UserError(error.code, error.message, { ...error, details, cause: error });
  }
}
