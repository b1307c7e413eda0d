import type { AddQueue } from './add-queue.ts';
import type { Authenticator } from './keys/authenticator.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Store } from './store.ts';

/** What the app is built over. */
export interface ServiceContext {
  readonly store: Store;
  readonly adds: AddQueue;
  readonly authenticator: Authenticator;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The time by which getPet is removed: `--as-of` sets it. */
  readonly getPetClock: () => Date;
}
