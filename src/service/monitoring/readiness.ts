import { messageOf } from '../../errors.ts';
import { startWatch } from '../start-watch.ts';
import { type Store, StoreDamagedError, StoreUnavailableError } from '../storage/store.ts';
import type { Log } from './log.ts';

/** How often the database is looked at, and how long it may take to respond, in milliseconds. */
const INTERVAL_MS = 1_000;

/** How long a write may take, in milliseconds: longer than one that waits for another program's. */
const WRITE_MS = 3_000;

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
export function openReadiness(store: Store, log: Log): Readiness {
  let failedCheck: string | undefined;
  let failedWrite: string | undefined;
  /** What an add without an idempotency key, for one, may not need: only a trial shows that it is there again. */
  let damage: string | undefined;
  /** When each write began that has not ended yet, oldest first. */
  const running = new Set<{ readonly since: number }>();
  let isChecking = false;
  let isServing = false;
  let reported: string | undefined;

  const findObstacle = () => damage ?? failedCheck ?? failedWrite;

  function noteFailure(error: unknown): void {
    // Any other error is a failure of this program, which says nothing about the next add.
    if (!(error instanceof StoreUnavailableError)) return;
    if (error instanceof StoreDamagedError) damage = error.message;
    else failedWrite = error.message;
  }

  function report(): void {
    const obstacle = findObstacle();
    if (obstacle === reported) return;
    if (obstacle === undefined) log.info?.('ready again');
    else (obstacle === damage ? log.error : log.warn)?.('not ready', { reason: obstacle });
    reported = obstacle;
  }

  function watchWrite<Parameters extends unknown[], Result>(
    write: (...parameters: Parameters) => Promise<Result>,
  ) {
    return async (...parameters: Parameters): Promise<Result> => {
      const entry = { since: performance.now() };
      running.add(entry);
      try {
        const result = await write(...parameters);
        failedWrite = undefined;
        return result;
      } catch (error) {
        noteFailure(error);
        throw error;
      } finally {
        running.delete(entry);
        report();
      }
    };
  }
  const tryAdd = watchWrite(async () => {
    await store.findKey(NO_HASH);
    await store.tryWrite();
    damage = undefined;
  });

  async function findKey(hash: Uint8Array) {
    try {
      return await store.findKey(hash);
    } catch (error) {
      if (error instanceof StoreDamagedError) noteFailure(error);
      report();
      throw error;
    }
  }

  async function check(): Promise<void> {
    isChecking = true;
    try {
      await store.checkReady();
      failedCheck = undefined;
      // One that is running tells it, too, and this one would wait behind it.
      if ((failedWrite ?? damage) !== undefined && running.size === 0)
        await tryAdd().catch(() => {});
    } catch (error) {
      if (error instanceof StoreDamagedError) noteFailure(error);
      else failedCheck = messageOf(error);
    }
    isChecking = false;
    report();
  }

  function tick(): void {
    const [oldest] = running;
    if (oldest !== undefined && performance.now() - oldest.since > WRITE_MS)
      failedWrite = 'a write has not ended for seconds';
    if (isChecking) failedCheck = 'the database does not respond';
    else void check();
    report();
  }
  const close = startWatch(INTERVAL_MS, tick);

  return {
    get obstacle() {
      return isServing ? findObstacle() : 'the service does not listen yet';
    },
    startServing() {
      isServing = true;
    },
    store: {
      ...store,
      findKey,
      addPets: watchWrite(store.addPets),
      recordKeyUses: watchWrite(store.recordKeyUses),
    },
    close,
  };
}
