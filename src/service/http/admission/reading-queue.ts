/** A connection on which something has arrived for the first time. */
export interface NewConnection {
  /** Its place in the order in which they were accepted. */
  readonly order: number;
  readonly start: () => void;
}

/** New connections that wait to be started. */
export interface ReadingQueue {
  isEmpty(): boolean;
  add(connection: NewConnection): void;
  /**
   * Starts the newest and the oldest in turn: a crowd that came at once is in the middle, and others were there before it or
   * came since.
   */
  startNext(): void;
}

export function createReadingQueue(): ReadingQueue {
  /** In the order in which they were accepted: a crowd that sends later than it came is not taken for the newest. */
  const waiting: NewConnection[] = [];
  let isOldestNext = false;

  return {
    isEmpty: () => waiting.length === 0,
    add(connection) {
      const before = waiting.findLastIndex(({ order }) => order < connection.order);
      waiting.splice(before + 1, 0, connection);
    },
    startNext() {
      const connection = isOldestNext ? waiting.shift() : waiting.pop();
      isOldestNext = !isOldestNext;
      connection?.start();
    },
  };
}
