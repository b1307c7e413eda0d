import { type CommandLine, codeOf, UserError } from '../errors.ts';
import type { Config, ConfigFile, EnvironmentEntry, KeyRecord, KeyStorage } from './config-file.ts';
import { type Environment, setEntry } from './environments.ts';
import { findKeyFile, type KeyStore, openKeyFile } from './key-file.ts';
import { endingOf, parseKey, readKeyFile } from './key-text.ts';
import { describeUnlock, type KeychainOptions, openKeychain } from './keychain.ts';
import { expandHome } from './paths.ts';
import { environmentVariable, type Variables } from './variables.ts';

/** An API key. The text is a secret: it goes into a request and nowhere else. */
export interface FoundKey {
  readonly text: string;
  readonly source: string;
  readonly ending: string;
  /** The variable that gave it, or the path of its file. */
  readonly variable?: string;
}

export type KeyPlace = Pick<Environment, 'name' | 'baseUrl'>;

export interface Keys {
  /** The key for this environment and its origin: variables first, then storage. @throws UserError of exit 4. */
  find(place: KeyPlace): Promise<FoundKey>;
  /** The last characters of the key that `find` would return, as far as they are known without the keychain. */
  findEnding(place: KeyPlace): Promise<string | undefined>;
  /** Stores a key, and in config.json where it is. @throws UserError of exit 4, or `cli_file`. */
  store(place: KeyPlace, key: string, options: StoreOptions): Promise<void>;
  /** Removes the keys of all origins that an environment had, but of one; false when there were none. */
  remove(environment: string, options?: RemoveOptions): Promise<boolean>;
}

export interface StoreOptions {
  readonly storage: KeyStorage;
  /** Whether this is a new address: the keys of other origins are removed. */
  readonly isMoved?: boolean;
  change?(config: Config): Config;
}

interface RemoveOptions extends Pick<StoreOptions, 'change'> {
  readonly exceptOrigin?: string;
}

export interface KeysOptions extends KeychainOptions {
  readonly config: ConfigFile;
  /** Called when a key is forgotten that no keychain is there to remove. */
  onLeft(): void;
}

export function openKeys(options: KeysOptions): Keys {
  const { variables, config } = options;
  const stores: KeyStores = { keychain: openKeychain(options), file: openKeyFile(variables) };
  const removeFromStores = async (environment: string, exceptOrigin: string | undefined) => {
    const records = Object.entries(readRecords(config.read(), environment));
    const removed = records.filter(([origin]) => origin !== exceptOrigin);
    for (const [origin, { storage }] of removed) {
      const removing = removeKey(stores[storage], storage, accountOf(environment, origin));
      await removing.catch((error: unknown) => {
        // A keychain that is gone must not keep its environment from being removed.
        if (codeOf(error) !== 'cli_keychain_absent') throw error;
        options.onLeft();
      });
    }
    return removed.map(([origin]) => origin);
  };
  return {
    find: async (place) =>
      findInVariables(variables, place.name) ?? (await findStored(options, stores, place)),
    async findEnding({ name, baseUrl }) {
      const found = findInVariables(variables, name);
      return found?.ending ?? readRecords(config.read(), name)[baseUrl.origin]?.ending;
    },
    async store({ name, baseUrl }, key, { storage, isMoved = false, change }) {
      const { origin } = baseUrl;
      await stores[storage].set(accountOf(name, origin), key);
      const removed = isMoved ? await removeFromStores(name, origin) : [];
      const record = { storage, ending: endingOf(key) };
      await config.change((now) => {
        const keys = { ...readRecords(forgetKeys(now, name, removed), name), [origin]: record };
        const changed = setEntry(now, name, { keys });
        return change?.(changed) ?? changed;
      });
    },
    async remove(environment, { exceptOrigin, change } = {}) {
      const removed = await removeFromStores(environment, exceptOrigin);
      if (removed.length === 0 && change === undefined) return false;
      await config.change((now) => {
        const changed = forgetKeys(now, environment, removed);
        return change?.(changed) ?? changed;
      });
      return removed.length > 0;
    },
  };
}

type KeyStores = Readonly<Record<KeyStorage, KeyStore>>;

/** Only these: another process may have stored one meanwhile. */
function forgetKeys(config: Config, environment: string, origins: readonly string[]): Config {
  if (origins.length === 0) return config;
  const records = Object.entries(readRecords(config, environment));
  const keys = Object.fromEntries(records.filter(([origin]) => !origins.includes(origin)));
  return setEntry(config, environment, { keys });
}

export function findKeyVariable(
  variables: Variables,
  environment: string | undefined,
): string | undefined {
  const own = environment === undefined ? [] : [environmentVariable(environment, 'API_KEY')];
  return [...own, 'PETSTORE_API_KEY', 'PETSTORE_API_KEY_FILE'].find((name) => variables[name]);
}

function findInVariables(variables: Variables, environment: string): FoundKey | undefined {
  const variable = findKeyVariable(variables, environment);
  if (variable === undefined) return undefined;
  const value = variables[variable] ?? '';
  const isFile = variable === 'PETSTORE_API_KEY_FILE';
  const text = isFile
    ? readKeyFile(expandHome(value, variables), variable)
    : parseKey(value, variable);
  const source = isFile ? `${value} (${variable})` : variable;
  return { text, source, ending: endingOf(text), variable };
}

async function findStored(
  { config, variables }: KeysOptions,
  stores: KeyStores,
  place: KeyPlace,
): Promise<FoundKey> {
  const records = readRecords(config.read(), place.name);
  const record = records[place.baseUrl.origin];
  if (record === undefined) throw explainMissing(place, Object.keys(records));
  const account = accountOf(place.name, place.baseUrl.origin);
  const text = await stores[record.storage].get(account).catch((error: unknown) => {
    throw adviseFile(error, place);
  });
  if (text === undefined) throw explainNotFound(place, record);
  const source = record.storage === 'file' ? (findKeyFile(variables) ?? '') : 'the OS keychain';
  return { text: parseKey(text, source), source, ending: endingOf(text) };
}

function readRecords(config: Config, name: string): NonNullable<EnvironmentEntry['keys']> {
  return config.environments?.[name]?.keys ?? {};
}

function accountOf(environment: string, origin: string): string {
  return `${environment}@${origin}`;
}

/** A locked keychain removes nothing, as an empty one does; only writing to it shows which it is. */
async function removeKey(store: KeyStore, storage: KeyStorage, account: string): Promise<void> {
  if ((await store.remove(account)) || storage === 'file') return;
  await store.set(account, 'removed');
  await store.remove(account);
}

function explainMissing({ name, baseUrl }: KeyPlace, others: readonly string[]): UserError {
  const elsewhere = others.map(
    (origin) => `its stored key is for ${origin}, not for ${baseUrl.origin}`,
  );
  return new UserError('cli_no_key', `There is no API key for ${name}.`, {
    details: [...elsewhere, `a script can set ${environmentVariable(name, 'API_KEY')}`],
    try: [loginTo(name)],
  });
}

/** Where the keychain is gone or does not respond, a sign-in offers a private file. */
function adviseFile(error: unknown, { name }: KeyPlace): unknown {
  if (!(error instanceof UserError) || error.code === 'cli_key_file_unsafe') return error;
  const { code, message, details, cause } = error;
  return new UserError(code, message, { details, cause, try: [loginTo(name)] });
}

/** libsecret says the same for "locked" and "gone". */
function explainNotFound({ name }: KeyPlace, { storage, ending }: KeyRecord): UserError {
  const again = [loginTo(name)];
  if (storage === 'file') {
    const message = `The API key for ${name} is no longer in its file.`;
    return new UserError('cli_no_key', message, { try: again });
  }
  const message = `The OS keychain did not return the API key for ${name}.`;
  return new UserError('cli_keychain_locked', message, {
    details: [
      `the key ends in ${ending}; the keychain is locked, or the key was removed there`,
      `if it is locked, ${describeUnlock()}`,
    ],
    try: again,
  });
}

function loginTo(environment: string): CommandLine {
  return ['petstore', 'login', '--env', environment];
}
