import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { unavailable } from '../service-error.ts';
import type { Store } from '../storage/store.ts';

export interface HealthParts {
  readonly store: Pick<Store, 'checkWritable' | 'findKey'>;
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

/** At most one write per second, and only when somebody asks. */
const INTERVAL_MS = 1_000;
/** The hash of no key: each add looks for the one that it came with. */
const NO_KEY = Buffer.alloc(32);
/** How long after a write that worked an add is believed to work. */
const TRUST_MS = 2_000;

/** Tells whether an add would work: a small durable write did within the last two seconds. Waits at most one for it. */
function createReadiness(store: HealthParts['store']): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let workedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  async function check(): Promise<void> {
    const startedAt = performance.now();
    checkedAt = startedAt;
    try {
      await store.checkWritable();
      await store.findKey(NO_KEY);
      workedAt = startedAt;
    } catch {
      // Each add that fails says why in the log.
    } finally {
      running = undefined;
    }
  }

  return async () => {
    if (performance.now() - checkedAt >= INTERVAL_MS) running ??= check();
    await Promise.race([running, pause(INTERVAL_MS, undefined, { ref: false })]);
    return performance.now() - workedAt < TRUST_MS;
  };
}
