import { readFileSync } from 'node:fs';
import { UserError } from '../errors.ts';
import { nameVariable, type Target } from './environments.ts';
import type { Variables } from './paths.ts';
import { describeSource } from './setting.ts';

/** An API key and where it was found. The value is a secret: it goes into a request and nowhere else. */
export interface ApiKey {
  value: string;
  /** For people, such as `PETSTORE_API_KEY` or `the OS keychain`. */
  from: string;
  lastFour: string;
}

/** A place that keeps API keys between runs: the keychain of the operating system, or a file. */
export interface KeyStorage {
  /** For people, such as `the OS keychain`. */
  readonly name: string;
  /** The key of this target, or undefined when none was stored. @throws UserError when the storage cannot answer. */
  read(target: Target): Promise<string | undefined>;
}

export interface Keys {
  /** The key for this target by precedence: variables, then storage. @throws UserError `cli_no_key`, or the storage's own. */
  find(target: Target): Promise<ApiKey>;
}

export interface KeysInput {
  variables: Variables;
  /** Asked in this order, and only when no variable holds a key. */
  storages: readonly KeyStorage[];
}

export function createKeys({ variables, storages }: KeysInput): Keys {
  return {
    async find(target) {
      const key =
        findInVariables(variables, target.name) ?? (await findInStorages(storages, target));
      if (key === undefined) throw refuseMissing(target.name);
      return key;
    },
  };
}

function findInVariables(variables: Variables, environment: string): ApiKey | undefined {
  for (const name of [nameVariable(environment, 'API_KEY'), 'PETSTORE_API_KEY']) {
    const value = variables[name];
    if (value) return createApiKey(value, describeSource({ kind: 'variable', name }));
  }
  const path = variables.PETSTORE_API_KEY_FILE;
  return path ? createApiKey(readKeyFile(path), `${path} (PETSTORE_API_KEY_FILE)`) : undefined;
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(
      'cli_no_key',
      `The file named by PETSTORE_API_KEY_FILE cannot be read: ${reason}`,
      { cause },
    );
  }
}

async function findInStorages(
  storages: readonly KeyStorage[],
  target: Target,
): Promise<ApiKey | undefined> {
  for (const storage of storages) {
    const value = await storage.read(target);
    if (value !== undefined) return createApiKey(value, storage.name);
  }
  return undefined;
}

/** A key as it may stand in a header field: one trailing newline cut, printable ASCII without blanks (RFC 6750, section 2.1). */
export function createApiKey(text: string, from: string): ApiKey {
  const value = text.replace(/\r?\n$/, '');
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new UserError(
      'cli_no_key',
      `The API key from ${from} is empty or holds characters that no key has`,
    );
  }
  return { value, from, lastFour: value.length > 8 ? value.slice(-4) : '****' };
}

function refuseMissing(environment: string): UserError {
  return new UserError('cli_no_key', `There is no API key for ${environment}`, {
    next: [`petstore auth login --env ${environment}`],
    details: [`or set ${nameVariable(environment, 'API_KEY')}`],
  });
}
