import type { Target } from '../environments/environments.ts';
import { type ConfigFile, changeConfigFile, type KeyRecord } from '../files/config-file.ts';

/** An environment at a base URL. The key of one is the key of no other. */
export type KeyOwner = Pick<Target, 'name' | 'url'>;

/** What the config file remembers of stored keys, by account. */
export interface KeyRecords {
  get(account: string): KeyRecord | undefined;
  /** The record of an environment's key for a base URL as it was typed, which may not even be a URL. */
  find(environment: string, url: string | undefined): KeyRecord | undefined;
  list(): (KeyRecord & { account: string })[];
  /** Environments that have a record, even if they were removed since. */
  listEnvironments(): string[];
  write(account: string, record: KeyRecord | undefined): Promise<void>;
}

export interface KeyRecordsInput {
  configFile: string;
  readConfig(): ConfigFile;
}

/** The name under which a key is stored. It contains the origin, so a key never goes to another one. */
export function accountFor({ name, url }: KeyOwner): string {
  return `${name}@${new URL(url).origin}`;
}

export function environmentOf(account: string): string {
  return account.slice(0, account.indexOf('@'));
}

export function createKeyRecords({ configFile, readConfig }: KeyRecordsInput): KeyRecords {
  const read = () => new Map(Object.entries(readConfig().keys ?? {}));
  const get = (account: string) => read().get(account);
  return {
    get,
    find: (name, url) =>
      url !== undefined && URL.canParse(url) ? get(accountFor({ name, url })) : undefined,
    list: () => [...read()].map(([account, record]) => ({ account, ...record })),
    listEnvironments: () => [...new Set([...read().keys()].map(environmentOf))],
    write: (account, record) =>
      changeConfigFile(configFile, ({ keys, ...config }) => {
        const { [account]: _, ...others } = keys ?? {};
        return { ...config, keys: record ? { ...others, [account]: record } : others };
      }),
  };
}
