import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:net';
import { promisify } from 'node:util';
import type { ServiceContext } from '../context.ts';

/**
 * Serves /metrics on this machine only, since nobody else should see them; nowhere without a port.
 * Port 0 takes a free one.
 */
export async function openMetricsServer(
  port: number | undefined,
  { metrics, adds, readiness }: Pick<ServiceContext, 'metrics' | 'adds' | 'readiness'>,
  servers: readonly Server[],
) {
  if (port === undefined) return undefined;
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const connections = await countConnections(servers);
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    const isReady = readiness.obstacle === undefined;
    response.end(await metrics.write({ connections, waitingAdds: adds.size, isReady }));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function countConnections(servers: readonly Server[]): Promise<number> {
  const counts = servers.map((server) => promisify(server.getConnections.bind(server))());
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** The port of a server that listens. */
export function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
}
