import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';

/** Databases and other files of one run, removed at its end. On the disk of the checkout: /tmp can be memory. */
export const workFolder = path.join(import.meta.dirname, '.work');
mkdirSync(workFolder, { recursive: true });

/** The built program of this checkout. */
export const program = path.resolve(import.meta.dirname, '../bin/petstore.js');

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
  /** A folder that is removed before each run. */
  readonly fresh?: string;
}

/** Milliseconds, and peak memory in MB. */
export interface Taken {
  readonly wall: number;
  readonly peak: number;
}

/** Runs a command with its output in pipes, as a script would. */
function runCommand({ name, words, variables, fresh }: Command): Taken {
  if (fresh !== undefined) rmSync(fresh, { recursive: true, force: true });
  const env = cleanEnvironment(variables);
  const start = performance.now();
  const timed = ['-f', 'peak %M', ...words];
  const result = spawnSync('/usr/bin/time', timed, { env, maxBuffer: 1 << 30 });
  const wall = performance.now() - start;
  if (result.error) throw result.error;
  const log = result.stderr.toString();
  if (result.status !== 0) throw new Error(`${name} ended with ${result.status}: ${log}`);
  return { wall, peak: Number(/peak (\d+)\s*$/.exec(log)?.[1]) / 1024 };
}

/** Runs commands in turn, after one round that only warms the caches. What each took in each round, by name. */
export function timeCommands(commands: readonly Command[], rounds: number): Map<string, Taken[]> {
  const taken = Array.from({ length: rounds + 1 }, () => commands.map(runCommand)).slice(1);
  return new Map(commands.map(({ name }, at) => [name, taken.flatMap((round) => round[at] ?? [])]));
}

export interface Server {
  readonly name: string;
  readonly pid: number;
  /** Origin and, for those who speak the contract, `/v1`. */
  readonly url: string;
  /** CPU time of the whole process so far in microseconds, resident memory in MB. */
  usage(): Promise<v.InferOutput<typeof Usage>>;
  stop(): Promise<void>;
}

const Usage = v.object({ cpu: v.number(), rss: v.number() });

export interface ServerOptions {
  /** Where it listens, of those that do not print it. */
  readonly url?: string;
  readonly variables?: Record<string, string>;
  /** The Node that runs it: this one unless given. */
  readonly node?: string;
}

/** Starts a Node program that listens, and waits until it responds. */
export async function startServer(
  name: string,
  words: readonly string[],
  { url, variables, node = process.execPath }: ServerOptions = {},
): Promise<Server> {
  const preload = path.join(import.meta.dirname, 'report-usage.mjs');
  const child = spawn(node, ['--import', preload, ...words], {
    env: cleanEnvironment(variables),
    cwd: workFolder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit').then(() => {
    process.removeListener('exit', kill);
  });
  const found = await Promise.race([
    url ?? findUrl(child),
    ended.then(() => Promise.reject(new Error(`${name} did not start.`))),
  ]);
  child.stdout?.resume();
  child.stderr?.resume();
  await waitUntilReady(found);
  return {
    name,
    pid: child.pid ?? 0,
    url: found,
    async usage() {
      const messages = on(child, 'message');
      child.send('usage');
      // Some servers say something of their own.
      for await (const [message] of messages) if (v.is(Usage, message)) return message;
      throw new Error(`${name} has ended.`);
    },
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(kill, 11_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function findUrl({ stdout, stderr }: ChildProcess): Promise<string> {
  const streams = [stdout, stderr].flatMap((stream) => stream ?? []);
  return await new Promise((resolve) => {
    for (const input of streams)
      createInterface({ input }).on('line', (line) => {
        const url = /https?:\/\/[\w.]+:\d+(\/v1)?/.exec(line)?.[0];
        if (url !== undefined) resolve(url);
      });
  });
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const isReady = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await pause(100);
  }
  throw new Error(`${url} does not respond.`);
}
