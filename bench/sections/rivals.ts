import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyDatabase, openDatabase, startPetstore } from '../databases.ts';
import { compareServers, type Effort, type Request } from '../load.ts';
import { builds, cleanEnvironment, type Server, startServer, workFolder } from '../programs.ts';
import { median, pairedRatio, type Row } from '../report.ts';

const ROWS = 1_000;
const bench = path.resolve(import.meta.dirname, '..');
const bin = (name: string) => path.join(bench, 'node_modules', name);

/** A server with the paths that it gives the same requests. */
interface Rival {
  readonly server: Server;
  readonly base: string;
  readonly limit: string;
}

const questions: Record<string, (rival: Rival) => Request> = {
  'page of 20': ({ base, limit }) => ({ path: `${base}/pets?${limit}=20` }),
  pet: ({ base }) => ({ path: `${base}/pets/7` }),
  add: ({ base }) => ({
    path: `${base}/pets`,
    body: JSON.stringify({ name: 'Rex', categoryId: 7, status: 'available' }),
  }),
};

/** What npm offers to somebody who wants this API served: the same requests, each server on the same pets. */
export async function measure(effort: Effort): Promise<Row[]> {
  const [build] = builds;
  if (build === undefined) throw new Error('Nothing to measure.');
  if (!existsSync(bin('json-server')))
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: bench, env: cleanEnvironment() });
  const database = copyDatabase(openDatabase(build, ROWS));
  const petstore = await startPetstore(build, database);
  const document = await saveOpenApi(petstore);
  const all: Rival[] = [
    { server: petstore, base: '/v1', limit: 'limit' },
    { server: await startJsonServer(), base: '', limit: '_limit' },
    { server: await startPrism(document), base: '', limit: 'limit' },
    { server: await startMockoon(document), base: '/v1', limit: 'limit' },
  ];
  try {
    const rows: Row[] = [];
    for (const [what, ask] of Object.entries(questions)) {
      const contenders = all.map((rival) => ({
        server: rival.server,
        requests: [ask(rival)],
        key: database.key,
      }));
      const [ours, ...others] = await compareServers(contenders, effort);
      if (ours === undefined) throw new Error('Nothing was measured.');
      const factors = others.map((other) => pairedRatio(ours.perSecond, other.perSecond));
      const measured = [ours, ...others].map((figures, index) => [
        `${all[index]?.server.name}/s`,
        median(figures.perSecond),
      ]);
      rows.push({
        what: `${what}, over the best of the three`,
        figure: Math.min(...factors),
        unit: 'x',
        goal: { atLeast: 4 },
        measured: Object.fromEntries(measured),
      });
    }
    return rows;
  } finally {
    for (const { server } of all) await server.stop();
  }
}

async function startJsonServer(): Promise<Server> {
  const file = path.join(workFolder, 'json-server.json');
  const pets = Array.from({ length: ROWS }, (_, at) => ({
    id: at + 1,
    name: `Rex ${at + 1}`,
    categoryId: (at % 50) + 1,
    status: 'available',
  }));
  writeFileSync(file, JSON.stringify({ pets }));
  const words = [bin('json-server/lib/cli/bin.js'), '--quiet', '--port', '18401', file];
  return await startServer('json-server', words, 'http://localhost:18401');
}

async function startPrism(document: string): Promise<Server> {
  const words = [bin('@stoplight/prism-cli/dist/index.js'), 'mock', '--port', '18402'];
  const options = ['--multiprocess=false', '--verboseLevel', 'error', document];
  return await startServer('prism', [...words, ...options], 'http://127.0.0.1:18402');
}

async function startMockoon(document: string): Promise<Server> {
  const words = [bin('@mockoon/cli/bin/run.js'), 'start', '--port', '18403', '--data', document];
  return await startServer(
    'mockoon',
    [...words, '--disable-log-to-file'],
    'http://127.0.0.1:18403',
  );
}

/** The contract as our service publishes it: mocks are made from it. */
async function saveOpenApi(petstore: Server): Promise<string> {
  const file = path.join(workFolder, 'openapi.json');
  const response = await fetch(new URL('/openapi.json', petstore.url));
  writeFileSync(file, await response.text());
  return file;
}
