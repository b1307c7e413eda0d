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

export interface LimitOptions {
  /** Asked of the real service; its answer is what the bare server gives to everybody. */
  readonly request: { readonly path: string; readonly body?: string };
  readonly key: string;
  /** Only what every JSON answer has: length and type. */
  readonly isBare?: boolean;
}

let count = 0;

/** Starts bare node:http that gives the service's answer, header for header, to every request. */
export async function startLimit(service: Server, options: LimitOptions): Promise<Server> {
  const { body } = options.request;
  const answer = await fetch(new URL(options.request.path, service.url), {
    headers: { Authorization: `Bearer ${options.key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  if (!answer.ok) throw new Error(`${options.request.path}: ${answer.status}`);
  const kept = options.isBare ? ['content-type', 'content-length'] : undefined;
  const headers = [...answer.headers].filter(
    ([name]) => kept?.includes(name) ?? !ownHeaders.includes(name),
  );
  count += 1;
  const file = path.join(workFolder, `answer-${count}.json`);
  const whole = { status: answer.status, headers: Object.fromEntries(headers) };
  writeFileSync(file, JSON.stringify({ ...whole, body: await answer.text() }));
  return await startServer([path.join(import.meta.dirname, 'servers', 'limit.mjs'), file]);
}
