import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

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
    /** Measures every response of `app`. */
    observe(app: FastifyInstance): void {
      app.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
        const route = routeOptions.url ?? 'none';
        duration.observe({ method, route, status: statusCode }, elapsedTime / 1_000);
        done();
      });
    },
    /** A server of its own for `/metrics`; the caller lets it listen, for this machine only. */
    createServer(): Server {
      return createServer(async ({ url }, response) => {
        if (url !== '/metrics') return response.writeHead(404).end();
        response.setHeader('Content-Type', registry.contentType);
        return response.end(await registry.metrics());
      });
    },
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
