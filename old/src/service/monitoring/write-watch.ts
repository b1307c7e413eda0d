import { noteFailure, type Obstacles } from './obstacles.ts';

/** How long a write may take once the one before has ended, in milliseconds: longer than one that waits for another program's. */
const WRITE_MS = 3_000;

export interface WriteWatch {
  /** The same write; it tells whether the next one would work. */
  watch<Parameters extends unknown[], Result>(
    write: (...parameters: Parameters) => Promise<Result>,
  ): (...parameters: Parameters) => Promise<Result>;
  readonly isRunning: boolean;
  /** Notes a write that takes too long. */
  look(): void;
}

/** Notes what the writes of a store tell; `report` is called after each. */
export function createWriteWatch(obstacles: Obstacles, report: () => void): WriteWatch {
  /** When each write began that has not ended yet, oldest first. */
  const running = new Set<{ readonly since: number }>();
  let endedAt = Number.NEGATIVE_INFINITY;
  return {
    watch:
      (write) =>
      async (...parameters) => {
        const entry = { since: performance.now() };
        running.add(entry);
        try {
          const result = await write(...parameters);
          obstacles.write = undefined;
          return result;
        } catch (error) {
          noteFailure(obstacles, error);
          throw error;
        } finally {
          running.delete(entry);
          endedAt = performance.now();
          report();
        }
      },
    get isRunning() {
      return running.size > 0;
    },
    look() {
      const [oldest] = running;
      if (oldest === undefined) return;
      // The store may make one after the other.
      if (performance.now() - Math.max(oldest.since, endedAt) > WRITE_MS)
        obstacles.write = 'a write has not ended for seconds';
    },
  };
}
