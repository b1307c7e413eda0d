import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { cleanEnvironment } from './environment.ts';

export interface Server {
  /** Ends in /v1 for those who speak the contract. */
  readonly url: string;
  /** CPU time of the whole process so far, in microseconds, and its resident memory in bytes. */
  usage(): Promise<{ cpu: number; rss: number }>;
  stop(): Promise<void>;
}

const Usage = v.object({
  cpu: v.object({ user: v.number(), system: v.number() }),
  rss: v.number(),
});

const preload = path.join(import.meta.dirname, 'servers', 'report-usage.mjs');

/** Starts a Node program that prints where it listens, on stdout or stderr; `url` is for those who do not print it. */
export async function startServer(
  words: readonly string[],
  variables: Record<string, string> = {},
  url?: string,
): Promise<Server> {
  const child = spawn(process.execPath, ['--import', preload, ...words], {
    env: cleanEnvironment(variables),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // Nothing is left running when the benchmark fails half-way.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  const printed: string[] = [];
  const outputs = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const baseUrl = url ?? (await findUrl(outputs, printed));
  for (const stream of outputs) stream.resume();
  await waitUntilReady(baseUrl, printed);
  return {
    url: baseUrl,
    async usage() {
      child.send('usage');
      for await (const [message] of on(child, 'message')) {
        // Some servers say something of their own.
        if (v.is(Usage, message)) {
          const { cpu, rss } = message;
          return { cpu: cpu.user + cpu.system, rss };
        }
      }
      throw new Error('A server that is measured went away.');
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function findUrl(streams: NodeJS.ReadableStream[], printed: string[]): Promise<string> {
  return await new Promise((resolve, reject) => {
    for (const stream of streams) {
      const lines = createInterface({ input: stream });
      lines.on('line', (line) => {
        printed.push(line);
        const url = /https?:\/\/[\w.]+:\d+(\/v1)?/.exec(line)?.[0];
        if (url !== undefined) resolve(url);
      });
      lines.on('close', () => reject(new Error(`A server did not start:\n${printed.join('\n')}`)));
    }
  });
}

async function waitUntilReady(url: string, printed: readonly string[]): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not respond:\n${printed.join('\n')}`);
}
