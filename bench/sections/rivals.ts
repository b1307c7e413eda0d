import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compareServers, summarize } from '../compare-servers.ts';
import { copyDatabase, openDatabase } from '../databases.ts';
import type { Effort } from '../effort.ts';
import { cleanEnvironment } from '../environment.ts';
import type { Row } from '../report.ts';
import { startPetstore } from '../servers.ts';
import { type Server, startServer } from '../start-server.ts';
import { pairedRatio } from '../statistics.ts';
import { workFolder } from '../work-folder.ts';

const ROWS = 1_000;
const CONNECTIONS = 16;

const bench = path.resolve(import.meta.dirname, '..');
const bin = (name: string) => path.join(bench, 'node_modules', name);

interface Rival {
  readonly name: string;
  readonly server: Server;
  /** What its paths begin with, and what it calls the page size. */
  readonly base: string;
  readonly limit: string;
}

/** What npm offers to someone who wants this interface served: the same requests, each server on the same pets. */
export async function measure(effort: Effort): Promise<Row[]> {
  installRivals();
  const database = copyDatabase(await openDatabase(ROWS), 'rivals');
  const petstore = await startPetstore(database);
  const rivals: Rival[] = [];
  try {
    rivals.push(await startJsonServer(), await startPrism(petstore), await startMockoon(petstore));
    const ours: Rival = { name: 'petstore', server: petstore, base: '/v1', limit: 'limit' };
    const all = [ours, ...rivals];
    const rows: Row[] = [];
    for (const [what, ask] of Object.entries(questions)) {
      rows.push(await compare(what, all, ask, database.key, effort));
    }
    return rows;
  } finally {
    await Promise.all([petstore, ...rivals.map(({ server }) => server)].map((one) => one.stop()));
  }
}

/** They have a `package.json` of their own. */
export function installRivals(): void {
  if (existsSync(bin('json-server'))) return;
  const options = { cwd: bench, env: cleanEnvironment(), stdio: 'inherit' } as const;
  execFileSync('npm', ['ci', '--ignore-scripts'], options);
}

const questions: Record<string, (rival: Rival) => { path: string; body?: string }> = {
  'list a page of 20': ({ base, limit }) => ({ path: `${base}/pets?${limit}=20` }),
  'get one': ({ base }) => ({ path: `${base}/pets/7` }),
  add: ({ base }) => ({
    path: `${base}/pets`,
    body: JSON.stringify({ name: 'Rex', categoryId: 7, status: 'available' }),
  }),
};

async function compare(
  what: string,
  all: readonly Rival[],
  ask: (rival: Rival) => { path: string; body?: string },
  key: string,
  effort: Effort,
): Promise<Row> {
  const results = await compareServers(
    all.map((rival) => ({
      name: rival.name,
      server: rival.server,
      key,
      load: {
        name: `${rival.name} ${what}`,
        requests: [ask(rival)],
        connections: CONNECTIONS,
      },
    })),
    effort,
  );
  const speeds = (name: string) => (results.get(name) ?? []).map(({ perSecond }) => perSecond);
  const [, ...rivals] = all;
  const factors = rivals.map(({ name }) => pairedRatio(speeds('petstore'), speeds(name)));
  return {
    what: `${what}, over the best of the others`,
    figure: Math.min(...factors),
    unit: 'x',
    goal: { atLeast: 8 },
    measured: Object.fromEntries(
      all.map(({ name }) => [`${name}/s`, summarize(results.get(name) ?? []).perSecond]),
    ),
  };
}

export async function startJsonServer(): Promise<Rival> {
  const file = path.join(workFolder, 'json-server.json');
  const pets = Array.from({ length: ROWS }, (_, at) => ({
    id: at + 1,
    name: `Rex ${at + 1}`,
    categoryId: (at % 50) + 1,
    status: 'available',
  }));
  writeFileSync(file, JSON.stringify({ pets }));
  const words = [bin('json-server/lib/cli/bin.js'), '--quiet', '--port', '18401', file];
  const server = await startServer(words, {}, 'http://localhost:18401');
  return { name: 'json-server', server, base: '', limit: '_limit' };
}

async function startPrism(petstore: Server): Promise<Rival> {
  const words = [bin('@stoplight/prism-cli/dist/index.js'), 'mock', '--port', '18402'];
  const server = await startServer(
    [...words, '--multiprocess=false', '--verboseLevel', 'error', await saveOpenApi(petstore)],
    {},
    'http://127.0.0.1:18402',
  );
  return { name: 'prism', server, base: '', limit: 'limit' };
}

async function startMockoon(petstore: Server): Promise<Rival> {
  const words = [bin('@mockoon/cli/bin/run.js'), 'start', '--port', '18403', '--data'];
  const server = await startServer(
    [...words, await saveOpenApi(petstore), '--disable-log-to-file'],
    {},
    'http://127.0.0.1:18403',
  );
  return { name: 'mockoon', server, base: '/v1', limit: 'limit' };
}

/** The contract as our service publishes it: mocks are made from it. */
async function saveOpenApi(petstore: Server): Promise<string> {
  const file = path.join(workFolder, 'openapi.json');
  const response = await fetch(new URL('/openapi.json', petstore.url));
  writeFileSync(file, await response.text());
  return file;
}
