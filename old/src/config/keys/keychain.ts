import * as v from 'valibot';
import { UserError } from '../../errors.ts';
import type { Variables } from '../variables.ts';
import {
  type ChildCommand,
  type KeychainProcess,
  startKeychainProcess,
} from './keychain-process.ts';
import { HOW_TO_UNLOCK } from './stored-keys.ts';

/** The name of petstore's entries in the keychain. */
const keychainService = 'petstore-cli';

/** The keychain of the operating system, or a file in its place. Every call is bounded in time and fails with a UserError. */
export interface Keychain {
  /** The secret of an account; undefined when the keychain gives none, whether absent or locked. */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** False when there was nothing to remove that the keychain would show. */
  remove(account: string): Promise<boolean>;
}

export interface KeychainInput {
  child: ChildCommand;
  /** A child that was started ahead, for the first secret that is read. */
  started?: KeychainProcess | undefined;
  variables: Variables;
  /** Whether a person is at a terminal; with a display as well, they can respond to the keychain's unlock dialog. */
  canAsk(): boolean;
  /** Ends a call in progress. */
  signal: AbortSignal;
  /** Called once when a person has waited for some time. */
  onWait(): void;
  limits?: Readonly<KeychainLimits>;
}

/** In milliseconds. */
interface KeychainLimits {
  unattended: number;
  attended: number;
  /** How long a person waits without being told for what. */
  silence: number;
}

/** Without a person a whole command must end within four seconds. */
const defaultLimits: KeychainLimits = { unattended: 3_000, attended: 60_000, silence: 1_500 };

/** The keychain behind child processes: a native call can hang, and only the end of its process stops it. */
export function createKeychain(input: KeychainInput): Keychain {
  const call = async (request: Omit<KeychainRequest, 'service' | 'timeLimit'>) => {
    const { limits = defaultLimits } = input;
    const canUnlock = hasDisplay(input.variables) && input.canAsk();
    const timeLimit = canUnlock ? limits.attended : limits.unattended;
    const wait = canUnlock ? setTimeout(input.onWait, limits.silence) : undefined;
    const result = await askChild(input, { ...request, service: keychainService, timeLimit });
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

/** What the child reads from its stdin: a secret must never be in its arguments or its environment. */
interface KeychainRequest {
  call: 'get' | 'set' | 'delete';
  service: string;
  account: string;
  secret?: string;
  /** Milliseconds, after which the child is ended. */
  timeLimit: number;
}

const Result = v.union([
  v.object({ value: v.nullable(v.union([v.string(), v.boolean()])) }),
  v.object({ error: v.string() }),
  v.object({ missingLibrary: v.string() }),
]);

/** Asks the keychain in a process of its own. A child that was started ahead and died is replaced, within the same time limit. */
async function askChild(
  { child, started, variables, signal }: KeychainInput,
  request: KeychainRequest,
): Promise<v.InferOutput<typeof Result> | { timedOut: true }> {
  const end = performance.now() + request.timeLimit;
  const ask = (asked: KeychainProcess) => {
    const timeLimit = Math.max(0, Math.ceil(end - performance.now()));
    return asked.ask(JSON.stringify({ ...request, timeLimit }), { timeLimit, signal });
  };
  const ahead = request.call === 'get' && started?.isWaiting() ? started : undefined;
  const first = ahead && (await ask(ahead));
  const isLost = first === undefined || ('failure' in first && !signal.aborted);
  const response = isLost ? await ask(startKeychainProcess(child, variables)) : first;
  return 'line' in response
    ? parseLine(response.line)
    : 'timedOut' in response
      ? response
      : { error: response.failure };
}

/** Not quoted when it cannot be read: it may hold a secret. */
function parseLine(line: string): v.InferOutput<typeof Result> {
  try {
    return v.parse(Result, JSON.parse(line));
  } catch {
    return { error: 'the keychain process sent no result' };
  }
}

/** The keychain reported an error of its own: it is locked, or there is none on this machine. */
export function explainRefusal(reason: string): UserError {
  // "Cannot create an item in a locked collection" (libsecret), "User interaction is not allowed." (macOS).
  if (/\block(ed)?\b|IsLocked|interaction is not allowed/i.test(reason)) {
    return new UserError('cli_keychain_locked', 'The OS keychain is locked', {
      details: [`the keychain says: ${reason}`, HOW_TO_UNLOCK],
    });
  }
  return new UserError('cli_keychain_unavailable', 'No keychain service responds on this machine', {
    details: [`the system says: ${reason}`],
  });
}

export function explainMissingLibrary(reason: string, platform = process.platform): UserError {
  const name = platform === 'linux' ? 'libsecret is missing' : 'does not load';
  return new UserError(
    'cli_keychain_library_missing',
    `The keychain library ${name} on this machine`,
    {
      details: [`the system says: ${reason}`],
      next:
        platform === 'linux'
          ? [
              // Debian and its kin, Fedora and its kin.
              'sudo apt install libsecret-1-0',
              'sudo dnf install libsecret',
            ]
          : [],
    },
  );
}

/** @param timeLimit in milliseconds */
export function explainTimeout(timeLimit: number): UserError {
  const seconds = timeLimit / 1000;
  return new UserError(
    'cli_keychain_timeout',
    `The OS keychain did not respond within ${seconds} s`,
    {
      details: ['it may hang, or wait for an unlock dialog that nobody sees'],
    },
  );
}
