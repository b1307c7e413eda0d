import { StoreDamagedError, StoreMalformedError, StoreUnavailableError } from '../storage/store.ts';
import type { Log } from './log.ts';

/** Why an add would not work, by who found it: the most lasting first. */
export interface Obstacles {
  /** Some adds do not need the place, nor does a trial: nothing shows that it is whole until the service starts again or connects to its server anew. */
  malformed?: string | undefined;
  /** What an add without an idempotency key, for one, may not need: only a trial shows that it is there again. */
  damage?: string | undefined;
  check?: string | undefined;
  write?: string | undefined;
}

/** The one that is reported; undefined when an add would work. */
export function findObstacle({ malformed, damage, check, write }: Obstacles): string | undefined {
  return malformed ?? damage ?? check ?? write;
}

/** What a failed write, or a failed look at what it needs, says about the next add. */
export function noteFailure(obstacles: Obstacles, error: unknown): void {
  if (error instanceof StoreMalformedError) obstacles.malformed = error.message;
  else if (error instanceof StoreDamagedError) obstacles.damage = error.message;
  // Any other error is a failure of this program, which says nothing about the next add.
  else if (error instanceof StoreUnavailableError) obstacles.write = error.message;
}

/** Returns what logs the obstacle that is reported, each time it is another one. */
export function createReport(obstacles: Obstacles, log: Log): () => void {
  let reported: string | undefined;
  return () => {
    const reason = findObstacle(obstacles);
    if (reason === reported) return;
    reported = reason;
    if (reason === undefined) return log.info?.('ready again');
    const isLasting = (obstacles.malformed ?? obstacles.damage) !== undefined;
    (isLasting ? log.error : log.warn)?.('not ready', { reason });
  };
}
