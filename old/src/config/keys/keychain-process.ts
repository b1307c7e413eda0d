import { type ChildProcess, spawn } from 'node:child_process';
import type { Variables } from '../variables.ts';

/** How to start the child: `node` with a file, or a standalone program that calls itself. */
export interface ChildCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** What came of a request: the line that the child sent, or why there is none. */
type ChildResponse = { line: string } | { failure: string } | { timedOut: true };

/** A process that has loaded the keychain's library and waits for its one request. It asks the keychain nothing before. */
export interface KeychainProcess {
  /** Whether it was neither asked nor seen to end. */
  isWaiting(): boolean;
  /** Sends the request and ends the process once it has responded, when the time is over, or at the signal. */
  ask(request: string, limits: { timeLimit: number; signal: AbortSignal }): Promise<ChildResponse>;
  /** Ends it at once; once is enough. The program itself ends after it: nothing is left behind. */
  end(): void;
}

/** Starts the child. What fails is reported when it is asked: with too many open files, it has no streams. */
export function startKeychainProcess(
  { file, args }: ChildCommand,
  variables: Variables,
): KeychainProcess {
  const child: ChildProcess = spawn(file, args, {
    env: selectChildEnvironment(variables),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  let state: 'waiting' | 'asked' | 'ended' = 'waiting';
  let text = '';
  let settle = (_: ChildResponse) => {};
  const responded = new Promise<ChildResponse>((resolve) => {
    settle = (response) => {
      state = 'ended';
      resolve(response);
    };
  });
  child.on('error', (error) => settle({ failure: describeError(error) }));
  child.stdout?.on('data', (chunk) => {
    text += String(chunk);
    // The line is enough: nobody waits for the child's end.
    if (text.endsWith('\n')) settle({ line: text });
  });
  child.on('close', (code, signal) => settle(text ? { line: text } : describeEnd(code, signal)));
  // A child that dies before it reads is reported by its exit; the broken pipe adds nothing.
  child.stdin?.on('error', () => {});
  const end = () => {
    settle({ failure: 'the keychain process was ended' });
    // Without an id, Node would send the signal to our own process group.
    if (child.pid !== undefined) child.kill('SIGKILL');
    child.stdin?.destroy();
    child.stdout?.destroy();
  };
  return {
    isWaiting: () => state === 'waiting',
    async ask(request, { timeLimit, signal }) {
      state = 'asked';
      child.stdin?.end(request);
      const timer = setTimeout(() => settle({ timedOut: true }), timeLimit);
      const stop = () => settle({ failure: 'the keychain process was stopped' });
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      const response = await responded;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      end();
      return response;
    },
    end,
  };
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

function describeError(error: Error): string {
  return `the keychain process failed (${'code' in error ? String(error.code) : error.name})`;
}

function describeEnd(code: number | null, signal: string | null): ChildResponse {
  if (signal) return { failure: `the keychain process ended with ${signal}` };
  if (code) return { failure: `the keychain process failed (${code})` };
  return { failure: 'the keychain process sent no result' };
}
