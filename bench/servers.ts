import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Database } from './databases.ts';
import { program } from './program.ts';
import { type Server, startServer } from './start-server.ts';
import { workFolder } from './work-folder.ts';

/** Starts `petstore serve` on a database, as built or as a variant. */
export async function startPetstore(
  database: Database,
  variables: Record<string, string> = {},
  main = program,
): Promise<Server> {
  return await startServer([main, 'serve', '--port', '0', '--database', database.url], variables);
}

/** Headers that Node's server sets by itself. */
const ownHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

/** The statement with which the service reads, and how. */
export interface LimitQuery {
  readonly file: string;
  readonly statement: string;
  /** What it needs after the id. */
  readonly parameters: readonly number[];
  readonly cacheKib: number;
}

export interface LimitOptions {
  /** Sent to the real service; its response is what the bare server sends to everybody. */
  readonly request: { readonly path: string; readonly body?: string };
  readonly key: string;
  /** Only what every JSON response has: length and type. */
  readonly isBare?: boolean;
  /** What reads the body for each request, by the id in its URL; otherwise all get the same from memory. */
  readonly query?: LimitQuery | undefined;
}

let count = 0;

/** Starts bare node:http that sends the service's response, header for header, to every request. */
export async function startLimit(service: Server, options: LimitOptions): Promise<Server> {
  const { body } = options.request;
  const response = await fetch(new URL(options.request.path, service.url), {
    headers: { Authorization: `Bearer ${options.key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  if (!response.ok) throw new Error(`${options.request.path}: ${response.status}`);
  const selected = options.isBare ? ['content-type', 'content-length'] : undefined;
  const headers = [...response.headers].filter(
    ([name]) => selected?.includes(name) ?? !ownHeaders.includes(name),
  );
  count += 1;
  const file = path.join(workFolder, `response-${count}.json`);
  const { query } = options;
  const whole = { status: response.status, headers: Object.fromEntries(headers), query };
  writeFileSync(file, JSON.stringify({ ...whole, body: await response.text() }));
  return await startServer([path.join(import.meta.dirname, 'servers', 'limit.mjs'), file]);
}
