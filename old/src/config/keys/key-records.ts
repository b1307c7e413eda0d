import * as v from 'valibot';
import { KeyAccess, type KeyInfo } from '../../contract/key-info.ts';
import type { Target } from '../environments/environments.ts';
import type { ConfigFile } from '../files/config-file.ts';

/** Where and when a key was stored, so that a locked keychain is not reported as "no key". Never the key. */
export const KeyRecord = v.strictObject({
  storage: v.picklist(['keychain', 'file']),
  /** ISO 8601 */
  storedAt: v.string(),
  lastFour: v.string(),
  /** The base URL then; records of older versions have only the origin, in the account. */
  url: v.exactOptional(v.string()),
  /** Salted; finds one key stored for two environments. */
  fingerprint: v.string(),
  /** What the service said of the key; absent when it said nothing. */
  access: v.exactOptional(KeyAccess),
  /** ISO 8601 */
  expiresAt: v.exactOptional(v.string()),
});
export type KeyRecord = v.InferOutput<typeof KeyRecord>;
export type KeyStorage = KeyRecord['storage'];

/** The members of a record that say what the service said. */
export function toRecordInfo(info: KeyInfo | undefined): Pick<KeyRecord, 'access' | 'expiresAt'> {
  if (info === undefined) return {};
  const { access, expiresAt } = info;
  return { access, ...(expiresAt && { expiresAt: expiresAt.toISOString() }) };
}

export function readRecordInfo(record: KeyRecord | undefined): KeyInfo | undefined {
  if (record?.access === undefined) return undefined;
  const { access, expiresAt = '' } = record;
  const end = new Date(expiresAt);
  return Number.isNaN(end.getTime()) ? { access } : { access, expiresAt: end };
}

/** An environment at a base URL. The key of one is the key of no other. */
export type KeyOwner = Pick<Target, 'name' | 'url'>;

/** The name under which a key is stored. It contains the origin, so a key never goes to another one. */
export function accountFor({ name, url }: KeyOwner): string {
  return `${name}@${new URL(url).origin}`;
}

export function environmentOf(account: string): string {
  return account.slice(0, account.indexOf('@'));
}

export function originOf(account: string): string {
  return account.slice(account.indexOf('@') + 1);
}

/** What the config file remembers of stored keys, by account. */
export function readRecords(config: ConfigFile): Map<string, KeyRecord> {
  return new Map(Object.entries(config.keys ?? {}));
}
