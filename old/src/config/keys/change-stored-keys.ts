import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { KeyInfo } from '../../contract/key-info.ts';
import { UserError } from '../../errors.ts';
import { changeConfigFile } from '../files/config-file.ts';
import {
  accountFor,
  environmentOf,
  type KeyOwner,
  type KeyRecord,
  readRecords,
  toRecordInfo,
} from './key-records.ts';
import type { Keychain } from './keychain.ts';
import type { NewKey, StoredKeysInput } from './stored-keys.ts';

/** Stores a key and its record; both or neither. Returns the other environments that share this key. */
export async function storeKey(
  input: StoredKeysInput,
  owner: KeyOwner,
  key: NewKey,
): Promise<string[]> {
  const account = accountFor(owner);
  const before = readRecords(input.readConfig()).get(account)?.storage;
  await storeWithRecord(input, account, owner.url, key);
  if (before !== undefined && before !== key.storage) {
    // Not used there any more; that storage may also be what failed, which is why the key moves.
    const former = await input.openStorage(before);
    await former.remove(account).catch(() => {});
  }
  return listSharing(input, owner, key);
}

function listSharing(input: StoredKeysInput, { name }: KeyOwner, { value }: NewKey): string[] {
  const sharing = [...readRecords(input.readConfig())]
    .filter(([account]) => environmentOf(account) !== name)
    .filter(([, { fingerprint }]) => isFingerprintOf(fingerprint, value));
  return [...new Set(sharing.map(([account]) => environmentOf(account)))];
}

async function storeWithRecord(
  input: StoredKeysInput,
  account: string,
  url: string,
  { value, lastFour, storage: kind, storedAt, info }: NewKey,
): Promise<void> {
  const storage = await input.openStorage(kind);
  const replaced = await storage.get(account);
  await storage.set(account, value);
  try {
    const fingerprint = createFingerprint(value);
    const place = { storage: kind, storedAt: storedAt.toISOString(), lastFour, url, fingerprint };
    await writeRecord(input, account, { ...place, ...toRecordInfo(info) });
  } catch (error) {
    throw await undo(error, () =>
      replaced === undefined ? storage.remove(account) : storage.set(account, replaced),
    );
  }
}

/** Remembers what the service said of a key, if it is still the one that is stored. */
export async function rememberInfo(
  { configFile }: StoredKeysInput,
  owner: KeyOwner,
  lastFour: string,
  info: KeyInfo,
): Promise<void> {
  const account = accountFor(owner);
  await changeConfigFile(configFile, (config) => {
    const record = readRecords(config).get(account);
    if (record?.lastFour !== lastFour) return config;
    const { access: _, expiresAt: __, ...place } = record;
    return { ...config, keys: { ...config.keys, [account]: { ...place, ...toRecordInfo(info) } } };
  });
}

/** Removes every key of an environment, and that of the given base URL. Returns the accounts that had one. */
export async function removeKeys(
  input: StoredKeysInput,
  environment: string,
  url: string | undefined,
): Promise<string[]> {
  const recorded = [...readRecords(input.readConfig()).keys()];
  const accounts = new Set(recorded.filter((account) => environmentOf(account) === environment));
  if (url && URL.canParse(url)) accounts.add(accountFor({ name: environment, url }));
  const removed: string[] = [];
  for (const account of accounts) {
    if (await removeWithRecord(input, account)) removed.push(account);
  }
  return removed;
}

async function removeWithRecord(input: StoredKeysInput, account: string): Promise<boolean> {
  const record = readRecords(input.readConfig()).get(account);
  const kind = record?.storage ?? 'keychain';
  const storage = await input.openStorage(kind);
  const isRemoved =
    kind === 'file'
      ? await storage.remove(account)
      : await removeFromKeychain(storage, account, record !== undefined);
  if (record) await writeRecord(input, account, undefined);
  return isRemoved || record !== undefined;
}

/** A locked keychain removes nothing, as an empty one does; only writing to it tells them apart. */
async function removeFromKeychain(
  keychain: Keychain,
  account: string,
  isRecorded: boolean,
): Promise<boolean> {
  if (await keychain.remove(account)) return true;
  if (!isRecorded) return false;
  await keychain.set(account, 'removed');
  return await keychain.remove(account);
}

function writeRecord(
  { configFile }: StoredKeysInput,
  account: string,
  record: KeyRecord | undefined,
): Promise<void> {
  return changeConfigFile(configFile, ({ keys, ...config }) => {
    const { [account]: _, ...others } = keys ?? {};
    return { ...config, keys: record ? { ...others, [account]: record } : others };
  });
}

/** What to throw after trying to restore what was there before. */
async function undo(error: unknown, restore: () => Promise<unknown>): Promise<unknown> {
  try {
    await restore();
    return error;
  } catch (failure) {
    if (!(error instanceof UserError) || !(failure instanceof Error)) return error;
    const details = [...error.details, `and the new key is still stored: ${failure.message}`];
    return new UserError(error.code, error.message, { ...error, details, cause: error });
  }
}

/** Long enough to tell keys apart, too short to find a key by guessing: many would match. */
const FINGERPRINT_BYTES = 4;

/** A salted hash of a key, `<salt>:<hash>`, that recognizes the same key and reveals none. */
function createFingerprint(key: string, salt = randomBytes(8).toString('hex')): string {
  return `${salt}:${scryptSync(key, salt, FINGERPRINT_BYTES).toString('hex')}`;
}

function isFingerprintOf(fingerprint: string, key: string): boolean {
  const [salt] = fingerprint.split(':');
  const actual = Buffer.from(createFingerprint(key, salt));
  const known = Buffer.from(fingerprint);
  return actual.length === known.length && timingSafeEqual(actual, known);
}
