import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import * as v from 'valibot';
import { UserError } from '../errors.ts';
import type { KeyStore } from './key-file.ts';
import type { Variables } from './variables.ts';

export interface KeychainOptions {
  readonly variables: Variables;
  readonly isInteractive: boolean;
  onWait(): void;
  readonly signal: AbortSignal;
}

const UNATTENDED_MS = 3_000;
const ATTENDED_MS = 60_000;
const SILENT_MS = 2_000;

/** What the child is asked, on its stdin: a key must never be in arguments or variables. */
interface Request {
  readonly call: 'get' | 'set' | 'remove';
  readonly account: string;
  readonly key?: string;
}

const Response = v.union([
  v.object({ value: v.nullable(v.union([v.string(), v.boolean()])) }),
  v.object({ error: v.string() }),
]);

/** The keychain of the operating system. Calls are made one after another; after one timeout no more are made. */
export function openKeychain(options: KeychainOptions): KeyStore {
  let last: Promise<unknown> = Promise.resolve();
  let timeout: UserError | undefined;
  const callOnce = async (request: Request) => {
    if (timeout !== undefined) throw timeout;
    return await callChild(options, request).catch((error) => {
      if (error instanceof UserError && error.cause === timedOut) timeout = error;
      throw error;
    });
  };
  const call = (request: Request) => {
    const next = last.then(() => callOnce(request));
    last = next.catch(() => {});
    return next;
  };
  return {
    async get(account) {
      const value = await call({ call: 'get', account });
      return typeof value === 'string' ? value : undefined;
    },
    set: async (account, key) => void (await call({ call: 'set', account, key })),
    remove: async (account) => (await call({ call: 'remove', account })) === true,
  };
}

const timedOut = Symbol('timed out');

async function callChild(options: KeychainOptions, request: Request) {
  const { variables, isInteractive, onWait, signal } = options;
  const canUnlock = isInteractive && hasDisplay(variables);
  const limit = canUnlock ? ATTENDED_MS : UNATTENDED_MS;
  const child = startChild(variables);
  const waiting = canUnlock ? setTimeout(onWait, SILENT_MS) : undefined;
  // Not AbortSignal.timeout: inside AbortSignal.any it may be collected as garbage, and then never ends anything.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limit);
  const ending = AbortSignal.any([signal, late.signal]);
  try {
    child.stdin?.end(JSON.stringify(request));
    const text = await readLine(child, ending);
    signal.throwIfAborted();
    if (ending.aborted) throw explainTimeout(limit);
    return readValue(text);
  } finally {
    clearTimeout(waiting);
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

/** A dialog needs a display; on macOS and Windows there is one unless the person came over the network. */
function hasDisplay(variables: Variables): boolean {
  if (process.platform === 'linux') return Boolean(variables.DISPLAY || variables.WAYLAND_DISPLAY);
  return !variables.SSH_CONNECTION;
}

/**
 * Without our own variables, which may hold a key, and Node's, which slow its start. libsecret's messages are told apart by
 * words, hence the locale. With a display but no session bus, D-Bus would start a session and leave it running.
 */
function startChild(variables: Variables): ChildProcess {
  const dropped = variables.DBUS_SESSION_BUS_ADDRESS
    ? /^(PETSTORE|NODE)_/i
    : /^(PETSTORE_|NODE_|DISPLAY$)/i;
  const passed = Object.entries(variables).filter(([name]) => !dropped.test(name));
  return spawn(process.execPath, [path.join(import.meta.dirname, 'keychain-child.cjs')], {
    env: { ...Object.fromEntries(passed), LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
}

function readLine(child: ChildProcess, ending: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const finish = () => resolve(text);
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      if (text.endsWith('\n')) finish();
    });
    child.on('error', finish);
    child.on('close', finish);
    child.stdin?.on('error', () => {});
    ending.addEventListener('abort', finish);
  });
}

/** Not quoted where it cannot be read: it may hold a key. */
function readValue(line: string): string | boolean | null {
  const response = v.safeParse(Response, parse(line));
  if (!response.success) throw explainRefusal('its process ended without a response');
  if ('error' in response.output) throw explainRefusal(response.output.error);
  return response.output.value;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * libsecret: "Cannot create an item in a locked collection". macOS: "User interaction is not allowed.", "User canceled the
 * operation.", "The user name or passphrase you entered is not correct." Windows, over the network: "A specified logon
 * session does not exist."
 */
const locked = /\block(ed)?\b|IsLocked|interaction is not allowed|cancel|passphrase|logon session/i;

export function explainRefusal(reason: string): UserError {
  if (locked.test(reason)) {
    return new UserError('cli_keychain_locked', 'The OS keychain is locked.', {
      details: [`it says: ${reason}`, describeUnlock(), WITHOUT_KEYCHAIN],
    });
  }
  const isLibrary = /libsecret|\.node\b|shared object|Cannot find module/.test(reason);
  return new UserError('cli_keychain_absent', 'This computer has no keychain.', {
    details: [
      `the system says: ${reason}`,
      ...(isLibrary ? ['on Debian and Ubuntu: sudo apt install libsecret-1-0'] : []),
      WITHOUT_KEYCHAIN,
    ],
  });
}

const WITHOUT_KEYCHAIN = 'PETSTORE_API_KEY and PETSTORE_API_KEY_FILE give a key without it';

export function describeUnlock(platform = process.platform): string {
  return platform === 'darwin'
    ? 'security unlock-keychain unlocks it'
    : 'log in to the desktop, or open the password manager, to unlock it';
}

function explainTimeout(ms: number): UserError {
  const message = `The OS keychain did not respond within ${ms / 1000} s.`;
  return new UserError('cli_keychain_unavailable', message, {
    details: ['it may hang, or wait for an unlock dialog that nobody sees', WITHOUT_KEYCHAIN],
    cause: timedOut,
  });
}
