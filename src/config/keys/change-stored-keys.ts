import { UserError } from '../../errors.ts';
import { createFingerprint, isFingerprintOf } from './fingerprint.ts';
import type { KeyFile } from './key-file.ts';
import { accountFor, environmentOf, type KeyOwner, type KeyRecords } from './key-records.ts';
import type { Keychain } from './keychain.ts';
import type { NewKey, StoredKeysInput } from './stored-keys.ts';

/** Stores a key and its record; both or neither. Returns the other environments that share this key. */
export async function storeKey(
  input: StoredKeysInput,
  owner: KeyOwner,
  key: NewKey,
): Promise<string[]> {
  const { records, openStorage } = input;
  const account = accountFor(owner);
  const before = records.get(account)?.storage;
  await storeWithRecord(await openStorage(key.storage), records, account, key);
  if (before !== undefined && before !== key.storage) {
    // Not used there any more; that storage may also be what failed, which is why the key moves.
    const former = await openStorage(before);
    await former.remove(account).catch(() => false);
  }
  return listSharing(records, owner, key);
}

function listSharing(records: KeyRecords, { name }: KeyOwner, { value }: NewKey): string[] {
  const sharing = records
    .list()
    .filter(({ account }) => environmentOf(account) !== name)
    .filter(({ fingerprint }) => isFingerprintOf(fingerprint, value));
  return [...new Set(sharing.map(({ account }) => environmentOf(account)))];
}

async function storeWithRecord(
  storage: Keychain | KeyFile,
  records: KeyRecords,
  account: string,
  { value, lastFour, storage: kind, storedAt }: NewKey,
): Promise<void> {
  const replaced = await storage.get(account);
  await storage.set(account, value);
  try {
    const fingerprint = createFingerprint(value);
    const record = { storage: kind, storedAt: storedAt.toISOString(), lastFour, fingerprint };
    await records.write(account, record);
  } catch (error) {
    throw await undo(error, () =>
      replaced === undefined ? storage.remove(account) : storage.set(account, replaced),
    );
  }
}

/** Removes every key of an environment, and that of the given base URL. Returns the accounts that had one. */
export async function removeKeys(
  input: StoredKeysInput,
  environment: string,
  url: string | undefined,
): Promise<string[]> {
  const recorded = input.records.list().map(({ account }) => account);
  const accounts = new Set(recorded.filter((account) => environmentOf(account) === environment));
  if (url && URL.canParse(url)) accounts.add(accountFor({ name: environment, url }));
  const removed: string[] = [];
  for (const account of accounts) {
    if (await removeWithRecord(input, account)) removed.push(account);
  }
  return removed;
}

async function removeWithRecord(input: StoredKeysInput, account: string): Promise<boolean> {
  const { records, openStorage } = input;
  const record = records.get(account);
  const kind = record?.storage ?? 'keychain';
  const storage = await openStorage(kind);
  const isRemoved =
    kind === 'file'
      ? await storage.remove(account)
      : await removeFromKeychain(storage, account, record !== undefined);
  if (record) await records.write(account, undefined);
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
