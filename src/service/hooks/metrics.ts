import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Of one response; `none` where no route was found. */
export type ResponseLabels = Readonly<Record<'method' | 'route', string> & { status: number }>;

/** What Prometheus reads: Node's default metrics, and the time of each response. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until a response was sent, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });

  return {
    count(labels: ResponseLabels, seconds: number): void {
      duration.observe(labels, seconds);
    },
    /** A server of its own for `/metrics`; the caller lets it listen, for this machine only. */
    createServer(): Server {
      return createServer(async ({ url }, response) => {
        if (url?.split('?')[0] !== '/metrics') return response.writeHead(404).end();
        response.setHeader('Content-Type', registry.contentType);
        return response.end(await registry.metrics());
      });
    },
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
