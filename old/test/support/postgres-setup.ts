import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { openPostgresCluster, type PostgresCluster } from './postgres-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test files ask for the run's PostgreSQL server; the first to ask starts it. */
    postgresBroker: string;
    /** What `startService` runs on unless a test says otherwise. */
    serviceDatabase: 'sqlite' | 'postgres';
  }
}

/** One server for the whole run, started only when a test file asks for it and stopped at the end of the run. */
export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  // Called for each project of vitest.config.ts; what the root provides reaches them all.
  if (!project.isRootProject()) return undefined;
  let cluster: Promise<PostgresCluster> | undefined;
  const broker = createServer((_request, response) => {
    cluster ??= openPostgresCluster();
    cluster.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  const address = broker.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  project.provide('postgresBroker', `http://127.0.0.1:${address.port}`);
  return async () => {
    broker.close();
    broker.closeAllConnections();
    await (await cluster?.catch(() => undefined))?.close();
  };
}
