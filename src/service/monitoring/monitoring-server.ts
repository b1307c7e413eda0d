import type { ServiceContext } from '../context.ts';
import { type Admission, createAdmission } from '../http/admission/admission.ts';
import { listen } from '../http/listen.ts';
import { createHttpServer } from '../http/server.ts';
import { createMetricsHandler } from '../routes/metrics.ts';
import { createMonitoringRouter } from '../routes/routes.ts';

/** Who may see metrics. */
const ADDRESS = '127.0.0.1';

/** The few programs that ask share one machine. */
const MAX_CONNECTIONS = 100;

export interface MonitoringServer {
  /** Returns the URL of /metrics. @throws ListenError */
  listen(port: number): Promise<string>;
  close(): void;
}

/**
 * Serves /metrics, /healthz and /readyz on this machine only. Its connections are accepted and limited apart from those of
 * the service's port, so that it responds whatever happens there.
 */
export function createMonitoringServer(
  services: ServiceContext,
  service: Pick<Admission, 'connections' | 'requests' | 'refusals'>,
): MonitoringServer {
  const own = createAdmission(
    { behindProxy: false, limits: { maxConnections: MAX_CONNECTIONS } },
    services.log,
  );
  const findRoute = createMonitoringRouter(createMetricsHandler(service));
  const server = createHttpServer(services, own, { findRoute, behindProxy: false }, undefined);
  return {
    async listen(port) {
      const actual = await listen([server], [ADDRESS], port, 'metricsPort');
      return `http://${ADDRESS}:${actual}/metrics`;
    },
    close() {
      server.close();
      own.connections.closeAll();
      own.connections.close();
    },
  };
}
