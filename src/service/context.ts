import type { KeptAnswers } from './http/response-cache.ts';
import type { Authenticator } from './keys/authenticator.ts';
import type { Log } from './monitoring/log.ts';
import type { Metrics } from './monitoring/metrics.ts';
import type { AddQueue } from './storage/add-queue.ts';
import type { Store } from './storage/store.ts';

/** Answers that are given again without asking the store, by operation. */
interface Kept {
  readonly pages: KeptAnswers;
  readonly pets: KeptAnswers;
}

/** What the app is built over. */
export interface ServiceContext {
  readonly store: Store;
  readonly adds: AddQueue;
  readonly authenticator: Authenticator;
  readonly kept: Kept;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The time by which getPet is removed: `--as-of` sets it. */
  readonly getPetClock: () => Date;
}
