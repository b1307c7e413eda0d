import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { serviceCommand } from './built-program.ts';
import { findFreePort } from './free-port.ts';
import { openPostgresHaproxy } from './haproxy.ts';
import { makeKey } from './make-key.ts';
import { openNginx } from './nginx.ts';
import { openPostgresPair, type PostgresPair } from './postgres-pair.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { waitFor } from './wait-for.ts';

const INSTANCES = 3;

/** Three instances behind nginx, which reach a primary with its replica through HAProxy. */
export interface FailoverCluster {
  readonly pair: PostgresPair;
  readonly key: string;
  /** The base URL at nginx, ending in /v1. */
  readonly url: string;
  readonly instances: readonly ServiceProcess[];
  close(): Promise<void>;
}

/** Starts all of it; the instances use a role that may neither create nor alter a table. */
export async function openFailoverCluster(): Promise<FailoverCluster> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closeOne of closers.reverse()) await closeOne();
  };
  try {
    const pair = await openPostgresPair();
    closers.push(pair.close);
    await createRoles(pair);
    const haproxy = await openPostgresHaproxy(pair.ports);
    closers.push(haproxy.close);
    const urlFor = (role: string) =>
      `postgres://${role}:${pair.password}@127.0.0.1:${haproxy.port}/petstore`;
    await waitFor(() => migrate(urlFor('petstore_owner')));
    const key = makeKey(urlFor('petstore_app'));
    const ports = await Promise.all(Array.from({ length: INSTANCES }, findFreePort));
    const variables = { PETSTORE_SERVE_DATABASE: urlFor('petstore_app') };
    const instances = await Promise.all(ports.map((port) => startServiceProcess(port, variables)));
    closers.push(() => Promise.all(instances.map((instance) => instance.kill())));
    const nginx = await openNginx(ports);
    closers.push(nginx.close);
    return { pair, key, url: `${nginx.url}/v1`, instances, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function migrate(database: string): Promise<void> {
  const [program = '', ...start] = serviceCommand;
  const env = { PATH: process.env.PATH, PETSTORE_SERVE_DATABASE: database };
  await promisify(execFile)(program, [...start, 'db', 'migrate'], { env });
}

async function createRoles({ execute, password }: PostgresPair): Promise<void> {
  for (const role of ['petstore_owner', 'petstore_app'])
    await execute(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  await execute('CREATE DATABASE petstore OWNER petstore_owner');
  await execute(
    `ALTER DEFAULT PRIVILEGES FOR ROLE petstore_owner
       GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO petstore_app`,
    'petstore',
  );
}
