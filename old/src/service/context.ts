import type { createResponseCaches } from './http/response-cache.ts';
import { createAuthenticator } from './keys/authenticator.ts';
import { createLastUsedRecorder } from './keys/last-used-recorder.ts';
import type { Log } from './monitoring/log.ts';
import { createMetrics } from './monitoring/metrics.ts';
import type { Readiness } from './monitoring/readiness.ts';
import { createAddQueue } from './storage/add-queue.ts';

export interface Clocks {
  /** The time by which keys and idempotency records age. */
  readonly now: () => Date;
  /** The instant by which getPet is judged, instead of now, to rehearse its removal. */
  readonly asOf?: Date | undefined;
}

/** What handlers work with. */
export type ServiceContext = ReturnType<typeof createContext>;

/** Puts together what handlers need over a watched store. The last uses of keys stay in memory until they are flushed. */
export function createContext(
  readiness: Readiness,
  cache: ReturnType<typeof createResponseCaches>,
  log: Log,
  { now, asOf }: Clocks,
) {
  const { store } = readiness;
  const lastUsed = createLastUsedRecorder(store, log);
  return {
    store,
    readiness,
    log,
    lastUsed,
    adds: createAddQueue(store, now),
    authenticator: createAuthenticator({
      store,
      now,
      noteUse: lastUsed.note,
    }),
    cache,
    metrics: createMetrics(),
    /** Aborted when the service begins to stop. */
    stopping: new AbortController(),
    getPetClock: () => asOf ?? now(),
  };
}
