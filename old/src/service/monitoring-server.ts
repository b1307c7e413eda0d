import type { ServiceContext } from './context.ts';
import { type Admission, createAdmission } from './http/admission/admission.ts';
import { createHttpServer } from './http/server/http-server.ts';
import { listen } from './http/server/listen.ts';
import { createMetricsHandler } from './routes/metrics.ts';
import { createMonitoringRouter } from './routes/routes.ts';

/** Who may see metrics. */
const ADDRESS = '127.0.0.1';

/** The few programs that ask share one machine. */
const MAX_CONNECTIONS = 100;

export interface MonitoringServer {
  /** The URL of /metrics. */
  readonly url: string;
  close(): void;
}

/**
 * Serves /metrics, /healthz and /readyz on this machine only. Its connections are accepted and limited apart from those of
 * the service's port; what it refuses is counted with the others.
 * @throws ListenError
 */
export async function openMonitoringServer(
  port: number,
  services: ServiceContext,
  service: Pick<Admission, 'connections' | 'requests' | 'refusals'>,
): Promise<MonitoringServer> {
  const limits = { maxConnections: MAX_CONNECTIONS };
  const own = createAdmission({ behindProxy: false, limits }, service.refusals);
  const findRoute = createMonitoringRouter(createMetricsHandler(service));
  const server = createHttpServer(services, own, { findRoute, behindProxy: false }, undefined);
  function close() {
    server.close();
    own.connections.closeAll();
    own.connections.close();
  }
  try {
    const actual = await listen([server], [ADDRESS], port, 'metricsPort');
    return { url: `http://${ADDRESS}:${actual}/metrics`, close };
  } catch (error) {
    close();
    throw error;
  }
}
