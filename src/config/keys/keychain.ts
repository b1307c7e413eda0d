import { execFile, type PromiseWithChild } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { UserError } from '../../errors.ts';
import type { Variables } from '../variables.ts';
import { HOW_TO_UNLOCK } from './stored-keys.ts';

const run = promisify(execFile);

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

/** How to start the child: `node` with a file, or a standalone program that calls itself. */
interface ChildCommand {
  file: string;
  args: readonly string[];
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

/** The keychain behind child processes: a native call can hang, and only the end of its process stops it. */
export function createKeychain(input: KeychainInput): Keychain {
  const call = async (request: Omit<KeychainRequest, 'service' | 'timeLimit'>) => {
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

/** Asks the keychain in a process of its own, and ends that process when its time is over or the program must stop. */
async function askChild(
  { child: { file, args }, variables, signal }: KeychainInput,
  request: KeychainRequest,
): Promise<v.InferOutput<typeof Result> | { timedOut: true }> {
  const running = run(file, [...args], {
    env: selectChildEnvironment(variables),
    timeout: request.timeLimit,
    killSignal: 'SIGKILL',
    signal,
    windowsHide: true,
  });
  // A child that dies before it reads is reported by its exit; the broken pipe adds nothing.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(JSON.stringify(request));
  try {
    return v.parse(Result, JSON.parse(await readLine(running)));
  } catch (error) {
    return isKilled(error) ? { timedOut: true } : { error: describeFailure(error) };
  }
}

/** Its line is enough: the child ends while the request is already being sent. */
function readLine(running: PromiseWithChild<{ stdout: string }>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    running.child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      if (text.endsWith('\n')) resolve(text);
    });
    running.then(({ stdout }) => resolve(stdout), reject);
  });
}

/**
 * Without our own variables, which may hold a key, and without Node's, which slow the start.
 * libsecret's messages are told apart by their words, hence the locale. Without the address of a
 * session but with a display, D-Bus would start a session of its own and leave it running.
 */
function selectChildEnvironment(variables: Variables): NodeJS.ProcessEnv {
  const dropped = variables.DBUS_SESSION_BUS_ADDRESS
    ? /^(PETSTORE|NODE)_/i
    : /^(PETSTORE_|NODE_|DISPLAY$)/i;
  const passed = Object.entries(variables).filter(([name]) => !dropped.test(name));
  return { ...Object.fromEntries(passed), LC_ALL: 'C' };
}

function isKilled(error: unknown): boolean {
  return error instanceof Error && 'killed' in error && error.killed === true;
}

/** Not the error's own message: it would quote the child's stderr and stdout. */
function describeFailure(error: unknown): string {
  if (error instanceof Error && 'signal' in error && error.signal) {
    return `the keychain process ended with ${error.signal}`;
  }
  if (error instanceof Error && 'code' in error && error.code) {
    return `the keychain process failed (${error.code})`;
  }
  return 'the keychain process sent no result';
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
