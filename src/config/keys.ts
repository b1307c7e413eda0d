import type { KeyStorage } from './config-file.ts';
import type { Environment } from './environments.ts';
import type { Variables } from './variables.ts';

/** An API key. The text is a secret: it goes into a request and nowhere else. */
export interface FoundKey {
  readonly text: string;
  /** In words: a variable's name, `the OS keychain`, or a file. */
  readonly source: string;
  /** The last four characters, by which its owner knows it. */
  readonly ending: string;
}

export interface KeysOptions {
  readonly variables: Variables;
  /** Whether a person could respond to the keychain's unlock dialog. */
  readonly isInteractive: boolean;
  /** Called once when a person has waited for the keychain for two seconds. */
  onWait(): void;
  readonly signal: AbortSignal;
}

export interface Keys {
  /** The key for this environment and its origin: variables first, then storage. @throws UserError of exit 4. */
  find(environment: Environment): Promise<FoundKey>;
  /** Stores a key and remembers in config.json where it is. @throws UserError of exit 4. */
  store(environment: Environment, text: string, storage: KeyStorage): Promise<void>;
  /** Removes the keys of all origins that an environment had; whether there were any. */
  remove(environmentName: string): Promise<boolean>;
}

/** Opens no keychain and reads no file before it is asked. */
export function openKeys(_options: KeysOptions): Keys {
  throw new Error('not written yet');
}
