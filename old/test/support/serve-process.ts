import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { serviceCommand } from './built-program.ts';
import { sharedCache } from './shared-cache.ts';

export interface ServeProcess {
  /** The base URL, ending in /v1. */
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything it wrote to stderr so far. */
  readonly stderr: () => string;
  /** Sends a signal and returns the exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

export interface ServeProcessOptions {
  readonly database: string;
  readonly args?: readonly string[];
  /** For Node itself, before the program's file. */
  readonly nodeArgs?: readonly string[];
  /** A program and its arguments that start this one, such as a shell with limits. */
  readonly within?: readonly string[];
}

/** Starts the built program's `serve` on a free port and waits until it listens. */
export async function startServeProcess(options: ServeProcessOptions): Promise<ServeProcess> {
  const [command = '', ...args] = [
    ...(options.within ?? []),
    ...serviceCommand.slice(0, 1),
    ...(options.nodeArgs ?? []),
    ...serviceCommand.slice(1),
    'serve',
    '--port',
    '0',
    ...(options.args ?? []),
  ];
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      ...sharedCache,
      PETSTORE_SERVE_DATABASE: options.database,
    },
  });
  const written: string[] = [];
  const url = await findUrl(child, written);
  return {
    url,
    child,
    stderr: () => written.join('\n'),
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill(signal);
        await ended;
      }
      return child.exitCode ?? child.signalCode;
    },
  };
}

/** Far longer than a start takes on a busy machine, in milliseconds. */
const START_TIMEOUT_MS = 20_000;

/** The URL it says it listens on. One that does not listen in time is killed: nothing outlives a test. */
async function findUrl(child: ChildProcess, written: string[]): Promise<string> {
  const lines = createInterface({ input: child.stderr ?? process.stdin });
  const giveUp = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.on('line', (line) => {
        written.push(line);
        const url = /^Listening on (\S+)$/.exec(line)?.[1];
        if (url) resolve(url);
      });
      child.once('exit', () => reject(new Error(`serve ended: ${written.join('\n')}`)));
      child.once('error', reject);
    });
  } finally {
    clearTimeout(giveUp);
  }
}
