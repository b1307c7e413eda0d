import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { addNewPets } from '../src/service/storage/postgres/add-statements.ts';
import { pageOf } from '../src/service/storage/postgres/pet-reader.ts';
import type { Database } from './databases.ts';
import { newPets, pagesAfter } from './loads.ts';
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

/** Of the pages in `loads.ts`. */
const PAGE_SIZE = 20;

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

/** The fields of the service's response to a request that Node's server does not set by itself, and its body. */
async function askService(
  service: Server,
  { path: target, body }: LimitOptions['request'],
  key: string,
) {
  const response = await fetch(new URL(target, service.url), {
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  if (!response.ok) throw new Error(`${target}: ${response.status}`);
  const fields = [...response.headers].filter(([name]) => !ownHeaders.includes(name));
  return { status: response.status, fields, body: await response.text() };
}

async function startBare(script: string, settings: object): Promise<Server> {
  count += 1;
  const file = path.join(workFolder, `response-${count}.json`);
  writeFileSync(file, JSON.stringify(settings));
  return await startServer([path.join(import.meta.dirname, 'servers', script), file]);
}

/** Starts bare node:http that sends the service's response, header for header, to every request. */
export async function startLimit(service: Server, options: LimitOptions): Promise<Server> {
  const { status, fields, body } = await askService(service, options.request, options.key);
  const selected = options.isBare ? ['content-type', 'content-length'] : undefined;
  const headers = fields.filter(([name]) => selected?.includes(name) ?? true);
  const { query } = options;
  return await startBare('limit.mjs', {
    status,
    headers: Object.fromEntries(headers),
    query,
    body,
  });
}

/** Starts bare node:http on a PostgreSQL database, with the service's statements and the fields of its responses. */
export async function startBarePostgres(service: Server, { url, key }: Database): Promise<Server> {
  const [page = { path: '' }] = pagesAfter([1]);
  const [pet = { path: '' }] = newPets(1);
  const read = await askService(service, page, key);
  const added = await askService(service, pet, key);
  return await startBare('bare-postgres.mjs', {
    url,
    headers: { page: Object.fromEntries(read.fields), add: Object.fromEntries(added.fields) },
    page: pick(pageOf(PAGE_SIZE + 1)),
    add: pick(addNewPets),
  });
}

function pick({ name, text }: { readonly name: string; readonly text: string }) {
  return { name, text };
}
