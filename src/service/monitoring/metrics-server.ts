import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:net';
import type { ServiceContext } from '../context.ts';
import type { Admission } from '../http/admission/admission.ts';

/**
 * Serves /metrics on this machine only, since nobody else should see them; nowhere without a port.
 * Port 0 takes a free one.
 */
export async function openMetricsServer(
  port: number | undefined,
  { metrics, adds, readiness }: Pick<ServiceContext, 'metrics' | 'adds' | 'readiness'>,
  { connections, requests, refusals }: Pick<Admission, 'connections' | 'requests' | 'refusals'>,
) {
  if (port === undefined) return undefined;
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    const gauges = {
      connections: connections.size,
      requestsInFlight: requests.waiting.requests,
      waitingAdds: adds.size,
      waitingReads: requests.waiting.reads,
      isReady: readiness.obstacle === undefined,
    };
    response.end(await metrics.write(gauges, refusals.write()));
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

/** The port of a server that listens. */
export function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
}
