import type { KeyInfo } from '../../contract/key-info.ts';
import { UserError } from '../../errors.ts';
import { shellOf } from '../../shell.ts';
import type { ConfigFile } from '../files/config-file.ts';
import { environmentVariables, variableNameFor } from '../variables.ts';
import {
  accountFor,
  environmentOf,
  type KeyOwner,
  type KeyRecord,
  type KeyStorage,
  originOf,
  readRecordInfo,
  readRecords,
} from './key-records.ts';
import type { Keychain } from './keychain.ts';

export const HOW_TO_UNLOCK =
  'unlock it (log in to the desktop, or open its password program) and run this again';

export interface NewKey {
  value: string;
  lastFour: string;
  storage: KeyStorage;
  storedAt: Date;
  /** What the service said of it, if it was asked. */
  info?: KeyInfo | undefined;
}

interface StoredKey {
  value: string;
  storage: KeyStorage;
  info: KeyInfo | undefined;
}

/** A key that was stored for an environment when it had another URL. */
export type KeyElsewhere = Pick<KeyRecord, 'lastFour' | 'storedAt'> & { url: string };

/** Keys that `auth login` stores. The config file records what was stored where. */
export interface StoredKeys {
  /** The key, where it is stored, and what is remembered of it. @throws UserError when the storage fails, or returns nothing for a key that was stored. */
  read(owner: KeyOwner): Promise<StoredKey | undefined>;
  /** The record of an environment's key for a base URL as it was typed, which may not even be a URL. */
  findRecord(environment: string, url: string | undefined): KeyRecord | undefined;
  /** The newest key of the environment that belongs to another origin, where there is none for this one. */
  findElsewhere(owner: KeyOwner): KeyElsewhere | undefined;
  /** Environments that have a record, even if they were removed since. */
  listEnvironments(): string[];
  /** Stores the key and its record; both or neither. Returns the other environments that share this key. */
  store(owner: KeyOwner, key: NewKey): Promise<string[]>;
  /** Remembers what the service said of a key, if it is still the one that is stored. */
  rememberInfo(owner: KeyOwner, lastFour: string, info: KeyInfo): Promise<void>;
  /** Removes every key of an environment, and that of the given base URL. Returns the accounts that had one. */
  remove(environment: string, url?: string): Promise<string[]>;
  /** Calls the keychain without needing a key. @throws UserError `cli_keychain_…` when it cannot be used. */
  probeKeychain(environment: string): Promise<void>;
}

export interface StoredKeysInput {
  openStorage(storage: KeyStorage): Promise<Keychain>;
  configFile: string;
  readConfig(): ConfigFile;
}

export function createStoredKeys(input: StoredKeysInput): StoredKeys {
  const { openStorage } = input;
  const loadChanges = () => import('./change-stored-keys.ts');
  const read = async (owner: KeyOwner) => {
    const account = accountFor(owner);
    const record = readRecords(input.readConfig()).get(account);
    const storage = record?.storage ?? 'keychain';
    const value = await (await openStorage(storage)).get(account);
    if (value !== undefined) return { value, storage, info: readRecordInfo(record) };
    if (record?.storage === 'keychain') throw explainNotReturned(owner.name, record);
    return undefined;
  };
  return {
    read: (owner) => withAlternatives(owner.name, () => read(owner)),
    findRecord: (name, url) =>
      url !== undefined && URL.canParse(url)
        ? readRecords(input.readConfig()).get(accountFor({ name, url }))
        : undefined,
    findElsewhere: (owner) => findElsewhere(readRecords(input.readConfig()), owner),
    listEnvironments: () => [
      ...new Set([...readRecords(input.readConfig()).keys()].map(environmentOf)),
    ],
    store: (owner, key) =>
      withAlternatives(owner.name, async () => (await loadChanges()).storeKey(input, owner, key)),
    rememberInfo: async (owner, lastFour, info) =>
      (await loadChanges()).rememberInfo(input, owner, lastFour, info),
    remove: async (environment, url) => (await loadChanges()).removeKeys(input, environment, url),
    probeKeychain: (environment) =>
      withAlternatives(environment, async () => {
        await (await openStorage('keychain')).get('probe');
      }),
  };
}

function findElsewhere(records: Map<string, KeyRecord>, owner: KeyOwner): KeyElsewhere | undefined {
  if (records.has(accountFor(owner))) return undefined;
  const [newest] = [...records]
    .filter(([account]) => environmentOf(account) === owner.name)
    .sort(([, one], [, other]) => other.storedAt.localeCompare(one.storedAt));
  if (newest === undefined) return undefined;
  const [account, { lastFour, storedAt, url }] = newest;
  return { lastFour, storedAt, url: url ?? `${originOf(account)}/v1` };
}

/** The keychain returned nothing for a key that was stored: libsecret says the same for "locked" and "gone". */
function explainNotReturned(environment: string, { storedAt, lastFour }: KeyRecord): UserError {
  return new UserError(
    'cli_keychain_locked',
    `The OS keychain did not hand over the API key of ${environment}: it is locked, or the key was removed there`,
    {
      details: [
        `stored ${storedAt.slice(0, 10)}, ending ${lastFour}`,
        `if it is locked, ${HOW_TO_UNLOCK}`,
        'if the key was removed, log in again',
      ],
      next: [`petstore auth login --env ${environment}`],
    },
  );
}

/** Adds to a failure of the keychain the two alternatives that need none. */
async function withAlternatives<T>(environment: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof UserError) || !error.code.startsWith('cli_keychain_')) throw error;
    const next = [
      ...error.next,
      shellOf().setVariable(variableNameFor(environment, environmentVariables.environmentKey), '…'),
      `petstore auth login --env ${environment} --storage file`,
    ];
    const details = [
      ...error.details,
      'without it: a variable for this shell only, or a file that only you can read',
    ];
    throw new UserError(error.code, error.message, { ...error, details, next, cause: error });
  }
}
