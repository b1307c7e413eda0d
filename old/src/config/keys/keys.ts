import type { Readable } from 'node:stream';
import type { KeyInfo } from '../../contract/key-info.ts';
import type { SettingSource } from '../../contract/outputs/environments.ts';
import { messageOf, UserError, type UserErrorCode } from '../../errors.ts';
import { shellOf } from '../../shell.ts';
import type { Target } from '../environments/environments.ts';
import { describeSource } from '../settings/setting.ts';
import {
  environmentVariables,
  forEnvironment,
  readVariable,
  type Variables,
  variableNameFor,
} from '../variables.ts';
import { explainKeyMistake, KEY_SHAPE } from './explain-key.ts';
import { type KeyStorage, readRecordInfo } from './key-records.ts';
import type { Keychain } from './keychain.ts';
import {
  createStoredKeys,
  type KeyElsewhere,
  type StoredKeys,
  type StoredKeysInput,
} from './stored-keys.ts';

/** An API key and where it was found. The value is a secret: it goes into a request and nowhere else. */
export interface ApiKey {
  value: string;
  source: 'variable' | KeyStorage;
  /** For people, such as the variable's name or `the OS keychain`. */
  from: string;
  lastFour: string;
  /** What is remembered of it; of a key from a variable nothing is. */
  info?: KeyInfo | undefined;
}

/** A variable that gives a key, or the path of a file with one. */
interface KeyVariable {
  name: string;
  kind: 'key' | 'file';
  value: string;
}

export interface Keys {
  /** The key for this target by precedence: variables, then storage. @throws UserError `cli_no_key`, or the storage's own. */
  find(target: Target): Promise<ApiKey>;
  /** What is remembered of the key that `find` would return. Opens no storage. */
  recallInfo(target: Target): KeyInfo | undefined;
  /** The variables that would give a key to this environment, the strongest first. */
  listVariables(environment: string): KeyVariable[];
  /** What `auth login` stored. */
  stored: StoredKeys;
}

export interface KeysInput extends Omit<StoredKeysInput, 'openStorage'> {
  variables: Variables;
  keyFile: string;
  openKeychain(): Promise<Keychain>;
  /** Called when a key comes from elsewhere. */
  forgoKeychain(): void;
  /** Ends the wait for a key that is read from a pipe. */
  signal: AbortSignal;
  /** Told each key that is found, which no output may contain from then on. */
  keepSecret(key: string): void;
}

/** Opens nothing: variables, files and keychain are read when they are asked for. */
export function createKeys(input: KeysInput): Keys {
  const openStorage = async (storage: KeyStorage) => {
    if (storage === 'keychain') return await input.openKeychain();
    input.forgoKeychain();
    return (await import('./key-file.ts')).createKeyFile(input.keyFile);
  };
  const stored = createStoredKeys({ ...input, openStorage });
  const listVariables = (environment: string) => listKeyVariables(input.variables, environment);
  const find = async (target: Target): Promise<ApiKey> => {
    const [variable] = listVariables(target.name);
    if (variable !== undefined) {
      input.forgoKeychain();
      return await readKeyVariable(variable, input.signal);
    }
    const found = await stored.read(target);
    if (found === undefined) throw describeMissing(target, stored, input.variables);
    const from = describeSource(storageSource(found.storage, input.keyFile));
    return { ...parseKey(found.value, from), source: found.storage, from, info: found.info };
  };
  return {
    async find(target) {
      const key = await find(target);
      input.keepSecret(key.value);
      return key;
    },
    recallInfo: ({ name, url }) =>
      listVariables(name).length > 0 ? undefined : readRecordInfo(stored.findRecord(name, url)),
    listVariables,
    stored,
  };
}

/** A storage of keys as the source of a setting. */
export function storageSource(storage: KeyStorage, keyFile: string): SettingSource {
  return storage === 'file' ? { kind: 'file', path: keyFile } : { kind: 'keychain' };
}

function listKeyVariables(variables: Variables, environment: string): KeyVariable[] {
  const { environmentKey, key, keyFile } = environmentVariables;
  const candidates = [
    { variable: forEnvironment(environmentKey, environment), kind: 'key' as const },
    { variable: key, kind: 'key' as const },
    { variable: keyFile, kind: 'file' as const },
  ];
  return candidates.flatMap(({ variable, kind }) => {
    const given = readVariable(variable, variables);
    return given ? [{ name: variable.name, kind, value: given.value }] : [];
  });
}

async function readKeyVariable(
  { name, kind, value }: KeyVariable,
  signal: AbortSignal,
): Promise<ApiKey> {
  const from = kind === 'file' ? `${value} (${name})` : name;
  const text =
    kind === 'file' ? await readKeyText(value, `The file named by ${name}`, signal) : value;
  return { ...parseKey(text, from), source: 'variable', from };
}

function describeMissing(target: Target, stored: StoredKeys, variables: Variables): UserError {
  const environment = target.name;
  const elsewhere = stored.findElsewhere(target);
  if (elsewhere !== undefined) return describeElsewhere(target, elsewhere, variables);
  return new UserError('cli_no_key', `There is no API key for ${environment}`, {
    next: [`petstore auth login --env ${environment}`],
    details: [`or set ${variableNameFor(environment, environmentVariables.environmentKey)}`],
  });
}

/** The URL was changed after the login: either that was a mistake, or the new service has a key of its own. */
function describeElsewhere(
  { name, url }: Target,
  { lastFour, storedAt, url: former }: KeyElsewhere,
  variables: Variables,
): UserError {
  const variable = forEnvironment(environmentVariables.environmentUrl, name);
  const isVariable = readVariable(variable, variables) !== undefined;
  return new UserError('cli_no_key', `The key of ${name} is for another URL`, {
    details: [
      `stored ${storedAt.slice(0, 10)} for ${former}, ending ${lastFour}`,
      `the URL of ${name} is now ${url}${isVariable ? ` (${variable.name})` : ''}`,
      'log in for the new URL, or go back to the old one',
    ],
    next: [
      `petstore auth login --env ${name}`,
      isVariable
        ? shellOf().setVariable(variable.name, former)
        : `petstore env set ${name} --url ${former}`,
    ],
  });
}

/** A key as it may be written in a header field: one trailing newline cut, printable ASCII without blanks (RFC 6750, section 2.1). */
export function parseKey(
  text: string,
  from: string,
  code: UserErrorCode = 'cli_no_key',
): { value: string; lastFour: string } {
  const value = text.replace(/\r?\n$/, '');
  const mistake = explainKeyMistake(value);
  if (mistake !== undefined)
    throw new UserError(code, `The API key from ${from} ${mistake}`, { details: [KEY_SHAPE] });
  return { value, lastFour: lastFourOf(value) };
}

/** The end of a key, by which its owner knows it; of a short one it would be too much. */
export function lastFourOf(key: string): string {
  return key.length > 8 ? key.slice(-4) : '****';
}

/** Far more than any key. */
const MAX_KEY_BYTES = 64 * 1024;

/** Reads a key from a stream or a file. @param what what is read, for people. @throws UserError `cli_no_key` when it cannot be read. */
export async function readKeyText(
  input: Readable | string,
  what: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { readInput } = await import('../../files/read-input.ts');
    return (await readInput(input, MAX_KEY_BYTES, signal)).toString('utf8');
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new UserError('cli_no_key', `${what} cannot be read: ${messageOf(cause)}`, { cause });
  }
}
