import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { promisify } from 'node:util';
import type { ServiceContext } from '../context.ts';

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

/**
 * Serves /metrics on this machine only, since nobody else should see them; nowhere without a port.
 * Port 0 takes a free one.
 */
export async function openMetricsServer(
  port: number | undefined,
  { metrics, adds }: Pick<ServiceContext, 'metrics' | 'adds'>,
  service: Server,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined;
  const countConnections = promisify(service.getConnections.bind(service));
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const connections = await countConnections();
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(await metrics.write({ connections, waitingAdds: adds.size }));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The port a listening server got. */
export function portOf(address: AddressInfo | string | null): number | undefined {
  return typeof address === 'object' ? address?.port : undefined;
}
