import type { Target } from '../environments/environments.ts';
import { type ConfigFile, changeConfigFile, type KeyRecord } from '../files/config-file.ts';
import { isFingerprintOf } from './fingerprint.ts';

/** An environment at an address. The key of one is the key of no other. */
export type KeyOwner = Pick<Target, 'name' | 'url'>;

/** What the config file remembers of stored keys. */
export interface KeyRecords {
  get(account: string): KeyRecord | undefined;
  /** The record of an environment's key for an address as it was typed, which need not be one. */
  find(environment: string, url: string | undefined): KeyRecord | undefined;
  /** The accounts of one environment, those of its earlier addresses included. */
  listAccounts(environment: string): string[];
  /** Environments that have a record, those included that exist no more. */
  listEnvironments(): string[];
  /** Other environments for which this same key is stored. */
  findTwins(owner: KeyOwner, key: string): string[];
  write(account: string, record: KeyRecord | undefined): Promise<void>;
}

export interface KeyRecordsInput {
  configFile: string;
  readConfig(): ConfigFile;
}

/** The name under which a key is kept. It holds the origin, so a key never goes to another one. */
export function accountFor({ name, url }: KeyOwner): string {
  return `${name}@${new URL(url).origin}`;
}

export function createKeyRecords({ configFile, readConfig }: KeyRecordsInput): KeyRecords {
  const records = () => Object.entries(readConfig().keys ?? {});
  const accounts = () => records().map(([account]) => account);
  const get = (account: string) => new Map(records()).get(account);
  return {
    get,
    find: (name, url) =>
      url !== undefined && URL.canParse(url) ? get(accountFor({ name, url })) : undefined,
    listAccounts: (environment) =>
      accounts().filter((account) => environmentOf(account) === environment),
    listEnvironments: () => [...new Set(accounts().map(environmentOf))],
    findTwins({ name }, key) {
      const others = records().filter(([account]) => environmentOf(account) !== name);
      const environmentsSharingKey = others.filter(([, { fingerprint }]) =>
        isFingerprintOf(fingerprint, key),
      );
      return [...new Set(environmentsSharingKey.map(([account]) => environmentOf(account)))];
    },
    write: (account, record) =>
      changeConfigFile(configFile, ({ keys, ...config }) => {
        const { [account]: _, ...others } = keys ?? {};
        return { ...config, keys: record ? { ...others, [account]: record } : others };
      }),
  };
}

function environmentOf(account: string): string {
  return account.slice(0, account.indexOf('@'));
}
