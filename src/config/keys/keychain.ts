import type { Variables } from '../variables.ts';
import type { ChildCommand, KeychainRequest } from './ask-keychain-child.ts';

/** The name of petstore's entries in the keychain. */
const keychainService = 'petstore-cli';

/** The keychain of the operating system. Every call is bounded in time and fails with a UserError `cli_keychain_…`. */
export interface Keychain {
  /** The secret of an account; undefined when the keychain gives none, whether absent or locked. */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** False when there was nothing to remove that the keychain would show. */
  remove(account: string): Promise<boolean>;
}

export interface KeychainInput {
  child: ChildCommand;
  variables: Variables;
  /** Whether a person is at a terminal; with a display as well, they can respond to the keychain's unlock dialog. */
  canAsk(): boolean;
  /** Ends a call in progress. */
  signal: AbortSignal;
  /** Called once when a person has waited for 1.5 seconds. */
  onWait(): void;
}

/** In milliseconds. Without a person a whole command must end within four seconds. */
const limits = { unattended: 3_000, attended: 60_000, silence: 1_500 };

/** The keychain behind child processes. Nothing is started before the first call. */
export function createKeychain(input: KeychainInput): Keychain {
  const call = async (request: Omit<KeychainRequest, 'service'>) => {
    // Loaded here: every command creates a keychain, few call it.
    const [{ askKeychainChild }, { explainMissingLibrary, explainRefusal, explainTimeout }] =
      await Promise.all([import('./ask-keychain-child.ts'), import('./keychain-failures.ts')]);
    const canUnlock = hasDisplay(input.variables) && input.canAsk();
    const timeLimit = canUnlock ? limits.attended : limits.unattended;
    const wait = canUnlock ? setTimeout(input.onWait, limits.silence) : undefined;
    const full = { ...request, service: keychainService };
    const result = await askKeychainChild(input.child, input.variables, full, {
      timeLimit,
      signal: input.signal,
    });
    clearTimeout(wait);
    if ('timedOut' in result) throw explainTimeout(timeLimit);
    if ('missingLibrary' in result) throw explainMissingLibrary(result.missingLibrary);
    if ('error' in result) throw explainRefusal(result.error);
    return result.value;
  };
  return {
    async get(account) {
      const value = await call({ call: 'get', account });
      return typeof value === 'string' ? value : undefined;
    },
    async set(account, secret) {
      await call({ call: 'set', account, secret });
    },
    remove: async (account) => (await call({ call: 'delete', account })) === true,
  };
}

function hasDisplay(variables: Variables): boolean {
  if (process.platform === 'linux') return Boolean(variables.DISPLAY || variables.WAYLAND_DISPLAY);
  return !variables.SSH_CONNECTION;
}
