import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { cleanEnvironment, type Server, workFolder } from './programs.ts';

const run = promisify(execFile);

export interface Request {
  readonly path: string;
  /** With a body it is a POST. */
  readonly body?: string;
}

/** Who is loaded, with which requests in turn. */
export interface Contender {
  readonly server: Server;
  readonly requests: readonly Request[];
  readonly key: string;
}

interface Result {
  readonly perSecond: number;
  /** CPU time of the server's process, in microseconds. */
  readonly cpuPerRequest: number;
  /** In milliseconds, as the client saw it. */
  readonly p99: number;
}

export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  /** Rounds of commands. */
  readonly runs: number;
}

const Summary = v.object({
  requests: v.number(),
  micros: v.number(),
  refused: v.number(),
  broken: v.number(),
  p99: v.number(),
});

export async function sendRequest(
  { server, key }: Pick<Contender, 'server' | 'key'>,
  { path: target, body }: Request,
): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const init = { headers, ...(body !== undefined && { method: 'POST', body }) };
  const response = await fetch(new URL(target, server.url), init);
  if (!response.ok) throw new Error(`${server.name}: ${target}: ${response.status}`);
  return response;
}

/** Loads a server by wrk. @throws when a response is not 2xx */
async function runLoad(
  { server, requests, key }: Contender,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Result> {
  const file = path.join(workFolder, `${server.name}-${connections}-${requests.length}.requests`);
  const lines = requests.map(({ path: target, body }) =>
    body === undefined ? target : `${target}\t${body}`,
  );
  writeFileSync(file, lines.join('\n'));
  const start = String(Math.floor(Math.random() * lines.length));
  const script = path.join(import.meta.dirname, 'requests.lua');
  const before = await server.usage();
  const { stdout } = await run(
    'wrk',
    [
      ...['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '--latency', '-s'],
      ...[script, new URL(server.url).origin, '--', file, key, start],
    ],
    { env: cleanEnvironment() },
  );
  const after = await server.usage();
  const summary = v.parse(Summary, JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  if (summary.refused + summary.broken > 0 || summary.requests === 0)
    throw new Error(`${server.name}: ${JSON.stringify(summary)}`);
  return {
    perSecond: summary.requests / (summary.micros / 1e6),
    cpuPerRequest: (after.cpu - before.cpu) / summary.requests,
    p99: summary.p99 / 1000,
  };
}

/** Loads the contenders in turn, after one round that only warms them up. One list of figures per contender. */
export async function compareServers(
  contenders: readonly Contender[],
  { rounds, seconds }: Effort,
  connections = 16,
): Promise<readonly Figures[]> {
  const results: Result[][] = contenders.map(() => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const result = await runLoad(contender, { connections, seconds });
      if (round >= 0) results[index]?.push(result);
    }
  }
  return results.map((list) => ({
    perSecond: list.map((one) => one.perSecond),
    cpuPerRequest: list.map((one) => one.cpuPerRequest),
    p99: list.map((one) => one.p99),
  }));
}

/** One figure per round. */
export type Figures = Readonly<Record<keyof Result, readonly number[]>>;

export function newPets(count: number): Request[] {
  return Array.from({ length: count }, (_, at) => ({
    path: '/v1/pets',
    body: JSON.stringify({ name: `Rex ${at}`, categoryId: (at % 50) + 1, status: 'available' }),
  }));
}
