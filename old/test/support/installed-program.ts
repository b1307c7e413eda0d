import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A `petstore` of an installed package. */
export interface InstalledProgram {
  /** Its stdout. @throws when it ends with anything but 0. */
  run(words: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Starts its service on a free port. */
  serve(words: readonly string[]): Promise<{ url: string; stop(): Promise<void> }>;
}

/** @param file the program. @param home where it keeps its files. */
export function describeProgram(file: string, home: string): InstalledProgram {
  const own = { PATH: process.env.PATH, HOME: home };
  return {
    run: async (words, env) => (await run(file, [...words], { env: { ...own, ...env } })).stdout,
    async serve(words) {
      const child = spawn(file, ['serve', '--port', '0', ...words], {
        env: own,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const exited = once(child, 'exit');
      const stop = async () => {
        child.kill();
        await exited;
      };
      const lines: string[] = [];
      for await (const line of createInterface({ input: child.stderr })) {
        lines.push(line);
        const url = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(line)?.[0];
        if (url === undefined) continue;
        child.stderr.resume();
        return { url, stop };
      }
      await exited;
      throw new Error(`the service ended before it listened:\n${lines.join('\n')}`);
    },
  };
}
