import { spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';

/** Databases and other files that take long to create. Ignored by git. */
export const workFolder = path.join(import.meta.dirname, '.work');
mkdirSync(workFolder, { recursive: true });

/** A built checkout of petstore. */
export interface Build {
  readonly name: string;
  readonly program: string;
}

/** This checkout, and the one that PETSTORE_BENCH_AGAINST names, if it does. */
export const builds: readonly Build[] = [
  ['ours', path.resolve(import.meta.dirname, '..')],
  ['before', process.env.PETSTORE_BENCH_AGAINST],
].flatMap(([name = '', root]) =>
  root === undefined ? [] : [{ name, program: path.join(root, 'bin/petstore.js') }],
);

/** Nobody's settings, keys or proxies, and nothing that slows Node down on one machine only (NODE_EXTRA_CA_CERTS). */
export function cleanEnvironment(variables: Record<string, string> = {}): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(NODE_|npm_|PETSTORE_|GH_|GITHUB_|CI$)|_proxy$/i.test(name),
  );
  return { ...Object.fromEntries(others), ...variables };
}

export interface Command {
  readonly name: string;
  readonly words: readonly string[];
  readonly variables?: Record<string, string>;
  readonly input?: string;
}

/** Runs a command with its output in pipes, as a script would. @returns milliseconds and peak memory in MB. */
export function runCommand({ name, words, variables, input = '' }: Command): Taken {
  const start = performance.now();
  const timed = ['-f', 'peak %M', ...words];
  const result = spawnSync('/usr/bin/time', timed, {
    env: cleanEnvironment(variables),
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const wall = performance.now() - start;
  if (result.status !== 0) throw new Error(`${name} ended with ${result.status}: ${result.stderr}`);
  const peak = Number(/peak (\d+)\s*$/.exec(result.stderr)?.[1]) / 1024;
  return { wall, peak, output: result.stdout };
}

export interface Taken {
  readonly wall: number;
  readonly peak: number;
  readonly output: string;
}

/** Runs commands in turn, after one round that only warms the caches. Milliseconds by name. */
export function timeCommands(commands: readonly Command[], rounds: number): Map<string, number[]> {
  const taken = new Map<string, number[]>(commands.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const command of commands) {
      const { wall } = runCommand(command);
      if (round >= 0) taken.get(command.name)?.push(wall);
    }
  }
  return taken;
}

export interface Server {
  readonly name: string;
  /** Origin and, for those who speak the contract, `/v1`. */
  readonly url: string;
  /** CPU time of the whole process so far in microseconds, resident memory in MB. */
  usage(): Promise<{ cpu: number; rss: number }>;
  stop(): Promise<void>;
}

const Usage = v.object({ cpu: v.number(), rss: v.number() });

/** Starts a Node program that prints where it listens; `url` is for those that do not. */
export async function startServer(
  name: string,
  words: readonly string[],
  url?: string,
): Promise<Server> {
  const preload = path.join(import.meta.dirname, 'report-usage.mjs');
  const child = spawn(process.execPath, ['--import', preload, ...words], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const found = url ?? (await Promise.race([findUrl(child.stderr), findUrl(child.stdout)]));
  child.stdout?.resume();
  child.stderr?.resume();
  await waitUntilReady(found);
  return {
    name,
    url: found,
    async usage() {
      const messages = on(child, 'message');
      child.send('usage');
      // Some servers say something of their own.
      for await (const [message] of messages) if (v.is(Usage, message)) return message;
      throw new Error(`${name} has ended.`);
    },
    async stop() {
      process.removeListener('exit', kill);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(kill, 11_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function findUrl(stream: NodeJS.ReadableStream | null): Promise<string> {
  if (stream === null) throw new Error('The server has no output.');
  for await (const line of createInterface({ input: stream })) {
    const url = /https?:\/\/[\w.]+:\d+(\/v1)?/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  return await new Promise(() => {});
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const isReady = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not respond.`);
}
