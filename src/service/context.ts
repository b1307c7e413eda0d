import type { ResponseCache } from './http/response-cache.ts';
import type { Authenticator } from './keys/authenticator.ts';
import type { Log } from './monitoring/log.ts';
import type { Metrics } from './monitoring/metrics.ts';
import type { AddQueue } from './storage/add-queue.ts';
import type { Store } from './storage/store.ts';

/** Responses that are sent again without asking the store, by operation. */
interface Cache {
  readonly pages: ResponseCache;
  readonly pets: ResponseCache;
}

/** What handlers work with. */
export interface ServiceContext {
  readonly store: Store;
  readonly adds: AddQueue;
  readonly authenticator: Authenticator;
  readonly cache: Cache;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The time by which getPet is removed: `--as-of` sets it. */
  readonly getPetClock: () => Date;
}
