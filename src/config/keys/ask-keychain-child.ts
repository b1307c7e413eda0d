import { execFile, type PromiseWithChild } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import type { Variables } from '../variables.ts';

const run = promisify(execFile);

/** How to start the child: `node` with a file, or a standalone program that calls itself. */
export interface ChildCommand {
  file: string;
  args: readonly string[];
}

/** What the child reads from its stdin: a secret must never be in its arguments or its environment. */
export interface KeychainRequest {
  call: 'get' | 'set' | 'delete';
  service: string;
  account: string;
  secret?: string;
}

const Result = v.union([
  v.object({ value: v.nullable(v.union([v.string(), v.boolean()])) }),
  v.object({ error: v.string() }),
  v.object({ missingLibrary: v.string() }),
]);

/** What came of a request. A native call that hangs is ended with its process: `timedOut`. */
export type KeychainResult = v.InferOutput<typeof Result> | { timedOut: true };

export interface ChildLimits {
  /** Milliseconds. */
  timeLimit: number;
  signal: AbortSignal;
}

/** Asks the keychain in a process of its own, and ends that process when its time is over or the program must stop. */
export async function askKeychainChild(
  command: ChildCommand,
  variables: Variables,
  request: KeychainRequest,
  { timeLimit, signal }: ChildLimits,
): Promise<KeychainResult> {
  const running = run(command.file, [...command.args], {
    env: selectChildEnvironment(variables),
    timeout: timeLimit,
    killSignal: 'SIGKILL',
    signal,
    windowsHide: true,
  });
  // A child that dies before it reads is reported by its exit; the broken pipe adds nothing.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(JSON.stringify({ ...request, timeLimit }));
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
