import { messageOf } from '../../errors.ts';
import { startWatch } from '../start-watch.ts';
import { type Store, StoreDamagedError } from '../storage/store.ts';
import type { Log } from './log.ts';
import { createReport, findObstacle, noteFailure, type Obstacles } from './obstacles.ts';
import { createWriteWatch, type WriteWatch } from './write-watch.ts';

/** How often the database is looked at, and how long it may take to respond, in milliseconds. */
const INTERVAL_MS = 1_000;

/** The hash of no key. */
const NO_HASH = new Uint8Array(32);

export interface Readiness {
  /** Why an add would not work now; undefined when it would. Known at any time, without asking the database. */
  readonly obstacle: string | undefined;
  /** Called once clients reach the service; before that it is not ready. */
  startServing(): void;
  /** The same store; its writes tell whether the next one would work. */
  readonly store: Store;
  close(): void;
}

/**
 * Watches whether an add would work, on any database: the store looks at it every second and must respond within the
 * next, no write takes too long, and the latest one did not fail. After a failed one a small write of the service itself
 * is tried each second, so that it recovers while no client adds.
 */
export function openReadiness(store: Store, log: Log, obstacles: Obstacles = {}): Readiness {
  const report = createReport(obstacles, log);
  const writes = createWriteWatch(obstacles, report);
  const check = createCheck(store, obstacles, writes);
  let isChecking = false;
  let isServing = false;

  async function findKey(hash: Uint8Array) {
    try {
      return await store.findKey(hash);
    } catch (error) {
      if (error instanceof StoreDamagedError) noteFailure(obstacles, error);
      report();
      throw error;
    }
  }

  async function runCheck(): Promise<void> {
    isChecking = true;
    await check();
    isChecking = false;
    report();
  }

  function tick(): void {
    writes.look();
    if (isChecking) obstacles.check = 'the database does not respond';
    else void runCheck();
    report();
  }
  const close = startWatch(INTERVAL_MS, tick);

  return {
    get obstacle() {
      return isServing ? findObstacle(obstacles) : 'the service does not listen yet';
    },
    startServing() {
      isServing = true;
    },
    store: {
      ...store,
      findKey,
      addPets: writes.watch(store.addPets),
      recordKeyUses: writes.watch(store.recordKeyUses),
    },
    close,
  };
}

/** One look at the store, and a trial of an add where the latest one failed. */
function createCheck(store: Store, obstacles: Obstacles, writes: WriteWatch) {
  const tryAdd = writes.watch(async () => {
    await store.findKey(NO_HASH);
    await store.tryWrite();
    obstacles.damage = undefined;
  });
  return async (): Promise<void> => {
    try {
      await store.checkReady();
      obstacles.check = undefined;
      // A read, by which the database is connected to anew after a failover while no client reads.
      if (obstacles.malformed !== undefined) await store.findKey(NO_HASH);
      const isFailing = (obstacles.write ?? obstacles.damage) !== undefined;
      // One that is running tells it, too, and this one would wait behind it.
      if (isFailing && !writes.isRunning) await tryAdd().catch(() => {});
    } catch (error) {
      if (error instanceof StoreDamagedError) noteFailure(obstacles, error);
      else obstacles.check = messageOf(error);
    }
  };
}
