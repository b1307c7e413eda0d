/** A connection on which something has arrived for the first time. */
export interface NewConnection {
  /** Its place in the order in which they were accepted. */
  readonly order: number;
  /** Returns whether it was started: it may be closed by now. */
  readonly start: () => boolean;
}

/** New connections that wait to be started. */
export interface ReadingQueue {
  isEmpty(): boolean;
  /** Adds one on which something has arrived now, after all others. */
  add(connection: NewConnection): void;
  /**
   * Starts the newest, the oldest, and the one that sent first, in turn: a crowd that came at once is in the middle, and
   * others were there before it, came since, or sent before it did.
   */
  startNext(): void;
}

export function createReadingQueue(): ReadingQueue {
  /** In the order in which they sent. */
  const waiting = new Set<NewConnection>();
  /** The same in the order in which they were accepted, with some that were started. */
  const accepted: NewConnection[] = [];
  const ends = [() => accepted.pop(), () => accepted.shift(), () => waiting.values().next().value];
  let starts = 0;

  return {
    isEmpty: () => waiting.size === 0,
    add(connection) {
      const before = accepted.findLastIndex(({ order }) => order < connection.order);
      accepted.splice(before + 1, 0, connection);
      waiting.add(connection);
    },
    startNext() {
      const takeNext = ends[starts % ends.length];
      starts += 1;
      while (waiting.size > 0) {
        const connection = takeNext?.();
        if (connection !== undefined && waiting.delete(connection) && connection.start()) break;
      }
      if (waiting.size === 0) accepted.length = 0;
    },
  };
}
