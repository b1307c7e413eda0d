import { readFileSync } from 'node:fs';
import { messageOf, UserError, type UserErrorCode } from '../../errors.ts';
import { type Target, variableNameFor } from '../environments/environments.ts';
import type { Variables } from '../files/paths.ts';
import { describeSource, type Source } from '../settings/setting.ts';
import type { KeyRecords } from './key-records.ts';
import type { KeyStorage, StoredKeys } from './stored-keys.ts';

/** An API key and where it was found. The value is a secret: it goes into a request and nowhere else. */
export interface ApiKey {
  value: string;
  source: 'variable' | KeyStorage;
  /** For people, such as `PETSTORE_API_KEY` or `the OS keychain`. */
  from: string;
  lastFour: string;
}

/** A variable that gives a key, or the path of a file with one. */
interface KeyVariable {
  name: string;
  kind: 'key' | 'file';
  value: string;
}

export interface Keys
  extends Omit<StoredKeys, 'read'>,
    Pick<KeyRecords, 'listEnvironments' | 'findTwins'> {
  /** What is remembered of the key that was stored for an environment at an address. */
  findRecord: KeyRecords['find'];
  /** The key for this target by precedence: variables, then storage. @throws UserError `cli_no_key`, or the storage's own. */
  find(target: Target): Promise<ApiKey>;
  /** The variables that would give a key to this environment, the strongest first. */
  listVariables(environment: string): KeyVariable[];
  describeStorage(storage: KeyStorage): Source;
}

export interface KeysInput {
  variables: Variables;
  stored: StoredKeys;
  records: KeyRecords;
  /** For people. */
  keyFile: string;
}

export function createKeys({ variables, stored, records, keyFile }: KeysInput): Keys {
  const listVariables = (environment: string) => listKeyVariables(variables, environment);
  const describeStorage = (storage: KeyStorage): Source =>
    storage === 'file' ? { kind: 'file', path: keyFile } : { kind: 'keychain' };
  return {
    findRecord: records.find,
    store: stored.store,
    remove: stored.remove,
    listEnvironments: records.listEnvironments,
    findTwins: records.findTwins,
    listVariables,
    describeStorage,
    probeKeychain: stored.probeKeychain,
    async find(target) {
      const [variable] = listVariables(target.name);
      if (variable !== undefined) return readVariable(variable);
      const found = await stored.read(target);
      if (found === undefined) throw refuseMissing(target.name);
      const from = describeSource(describeStorage(found.storage));
      return { ...parseKey(found.value, from), source: found.storage, from };
    },
  };
}

function listKeyVariables(variables: Variables, environment: string): KeyVariable[] {
  const names = [
    { name: variableNameFor(environment, 'API_KEY'), kind: 'key' as const },
    { name: 'PETSTORE_API_KEY', kind: 'key' as const },
    { name: 'PETSTORE_API_KEY_FILE', kind: 'file' as const },
  ];
  return names.flatMap((variable) => {
    const value = variables[variable.name];
    return value ? [{ ...variable, value }] : [];
  });
}

function readVariable({ name, kind, value }: KeyVariable): ApiKey {
  const from = kind === 'file' ? `${value} (${name})` : name;
  const text = kind === 'file' ? readKeyText(value, name) : value;
  return { ...parseKey(text, from), source: 'variable', from };
}

/** @param naming the flag or variable that named the file. @throws UserError `cli_no_key` when it cannot be read. */
export function readKeyText(file: string, naming: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const reason = messageOf(cause);
    throw new UserError('cli_no_key', `The file named by ${naming} cannot be read: ${reason}`, {
      cause,
    });
  }
}

/** A key as it may stand in a header field: one trailing newline cut, printable ASCII without blanks (RFC 6750, section 2.1). */
export function parseKey(
  text: string,
  from: string,
  code: UserErrorCode = 'cli_no_key',
): { value: string; lastFour: string } {
  const value = text.replace(/\r?\n$/, '');
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new UserError(
      code,
      `The API key from ${from} is empty or holds characters that no key has`,
    );
  }
  return { value, lastFour: endOfKey(value) };
}

/** Its last four characters, by which its owner knows it; of a short one they would be too much. */
export function endOfKey(key: string): string {
  return key.length > 8 ? key.slice(-4) : '****';
}

function refuseMissing(environment: string): UserError {
  return new UserError('cli_no_key', `There is no API key for ${environment}`, {
    next: [`petstore auth login --env ${environment}`],
    details: [`or set ${variableNameFor(environment, 'API_KEY')}`],
  });
}
