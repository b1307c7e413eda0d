import type { Variables } from '../files/paths.ts';
import type { ChildCommand, KeychainOrder } from './ask-keychain-child.ts';

/** Under which name petstore's keys stand in the keychain. */
const keychainService = 'petstore-cli';

/** The keychain of the operating system. Every call is bounded in time and fails with a UserError `cli_keychain_…`. */
export interface Keychain {
  /** The secret of an account; undefined when the keychain gives none, be it absent or locked away. */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** False when there was nothing to remove that the keychain would show. */
  remove(account: string): Promise<boolean>;
}

export interface KeychainInput {
  child: ChildCommand;
  variables: Variables;
  /** Whether somebody sits at a terminal; with a display as well, the keychain's unlock dialog can be answered. */
  canAsk(): boolean;
  /** Ends a call that is under way. */
  signal: AbortSignal;
  /** Called once when a person has waited for 1.5 seconds. */
  onWait(): void;
}

/** In milliseconds. Without a person a whole command must end within four seconds. */
const limits = { unattended: 3_000, attended: 60_000, silence: 1_500 };

/** The keychain behind child processes. Nothing is started before the first call. */
export function createKeychain(input: KeychainInput): Keychain {
  const ask = async (order: Omit<KeychainOrder, 'service'>) => {
    // Loaded here: every command makes a keychain, few ask it anything.
    const [{ askKeychainChild }, { explainMissingLibrary, explainRefusal, explainTimeout }] =
      await Promise.all([import('./ask-keychain-child.ts'), import('./keychain-failures.ts')]);
    const canUnlock = hasDisplay(input.variables) && input.canAsk();
    const timeLimit = canUnlock ? limits.attended : limits.unattended;
    const wait = canUnlock ? setTimeout(input.onWait, limits.silence) : undefined;
    const full = { ...order, service: keychainService };
    const answer = await askKeychainChild(input.child, input.variables, full, {
      timeLimit,
      signal: input.signal,
    });
    clearTimeout(wait);
    if ('timedOut' in answer) throw explainTimeout(timeLimit);
    if ('missingLibrary' in answer) throw explainMissingLibrary(answer.missingLibrary);
    if ('error' in answer) throw explainRefusal(answer.error);
    return answer.value;
  };
  return {
    async get(account) {
      const value = await ask({ call: 'get', account });
      return typeof value === 'string' ? value : undefined;
    },
    async set(account, secret) {
      await ask({ call: 'set', account, secret });
    },
    remove: async (account) => (await ask({ call: 'delete', account })) === true,
  };
}

function hasDisplay(variables: Variables): boolean {
  if (process.platform === 'linux') return Boolean(variables.DISPLAY || variables.WAYLAND_DISPLAY);
  return !variables.SSH_CONNECTION;
}
