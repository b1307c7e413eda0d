import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { serviceCommand } from './built-program.ts';

/** The built service in a process of its own. */
export interface ServiceProcess {
  /** The base URL, ending in /v1. */
  readonly url: string;
  /** What it has written to its log so far, one JSON object per line. */
  log(): string;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Stops it with SIGTERM and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts `petstore serve` with these variables and resolves when it listens. */
export async function startServiceProcess(
  port: number,
  variables: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const [file = '', ...words] = serviceCommand;
  const child = spawn(file, [...words, 'serve', '--port', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, TZ: 'UTC', ...variables },
  });
  const lines: string[] = [];
  const exited = once(child, 'exit');
  const listening = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      const url = /^Listening on (\S+)$/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => reject(new Error(`it ended before it listened\n${lines.join('\n')}`)));
  });
  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await exited;
    }
    return child.exitCode;
  }
  return {
    url: await listening,
    log: () => lines.join('\n'),
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}
