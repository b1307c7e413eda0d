import type { FastifyInstance } from 'fastify';
import { createReadiness } from '../readiness.ts';
import { unavailable } from '../service-error.ts';
import type { Store } from '../storage/store.ts';

export interface HealthParts {
  readonly store: Pick<Store, 'checkWritable'>;
  /** Aborted when the service begins to stop. */
  readonly stopping: AbortSignal;
}

/** `/healthz`: the process runs. `/readyz`: an add would work, and further requests are welcome. */
export function addHealth(app: FastifyInstance, { store, stopping }: HealthParts): void {
  const isReady = createReadiness(store);
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    if (stopping.aborted) throw unavailable('the service is stopping');
    if (!(await isReady())) throw unavailable('the service cannot add pets now');
    return { status: 'ready' };
  });
}
