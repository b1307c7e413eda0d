import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { cleanEnvironment } from './environment.ts';
import type { Server } from './start-server.ts';
import { workFolder } from './work-folder.ts';

/** Requests that are sent in turn; with a body they are POSTs. */
export interface Load {
  readonly name: string;
  readonly requests: readonly { readonly path: string; readonly body?: string }[];
  readonly connections: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Of the server's process, in microseconds. */
  readonly cpuPerRequest: number;
  /** In milliseconds, as the client saw it. */
  readonly p50: number;
  readonly p99: number;
}

const Summary = v.object({
  requests: v.number(),
  micros: v.number(),
  refused: v.number(),
  broken: v.number(),
  p50: v.number(),
  p99: v.number(),
});

const script = path.join(import.meta.dirname, 'load', 'requests.lua');
const run = promisify(execFile);

/** Loads a server by wrk for some seconds. @throws when any response is not 2xx */
export async function runLoad(
  server: Server,
  load: Load,
  options: { seconds: number; key: string },
): Promise<LoadResult> {
  const file = path.join(workFolder, `${load.name.replaceAll(/\W+/g, '-')}.requests`);
  const lines = load.requests.map(({ path: target, body }) =>
    body === undefined ? target : `${target}\t${body}`,
  );
  writeFileSync(file, lines.join('\n'));
  const start = Math.floor(Math.random() * lines.length);
  const before = await server.usage();
  const { stdout } = await run(
    'wrk',
    [
      ...['-t1', `-c${load.connections}`, `-d${options.seconds}s`, '--timeout', '30s', '--latency'],
      ...['-s', script, new URL(server.url).origin, '--', file, options.key, String(start)],
    ],
    { env: cleanEnvironment() },
  );
  const after = await server.usage();
  const summary = v.parse(Summary, JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  if (summary.refused > 0 || summary.broken > 0 || summary.requests === 0) {
    throw new Error(`${load.name}: ${JSON.stringify(summary)}`);
  }
  return {
    perSecond: summary.requests / (summary.micros / 1e6),
    cpuPerRequest: (after.cpu - before.cpu) / summary.requests,
    p50: summary.p50 / 1000,
    p99: summary.p99 / 1000,
  };
}
