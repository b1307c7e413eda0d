/** A connection on which something has arrived for the first time. */
export interface NewConnection {
  /** Its place in the order in which they were accepted. */
  readonly order: number;
  /** Whether it need not be started any more. */
  readonly isGone: () => boolean;
  /** Whether so far it brings a health check and little else. */
  readonly isHealthCheck: () => boolean;
  readonly start: () => void;
}

/**
 * New connections that wait to be started: the newest and the oldest in turn, as a crowd that came at once is in the middle,
 * and others were there before it or came since.
 */
export interface ReadingQueue {
  isEmpty(): boolean;
  add(connection: NewConnection): void;
  /** Takes one that brings a health check: for these there is always room. */
  takeHealthCheck(): NewConnection | undefined;
  take(): NewConnection | undefined;
}

export function createReadingQueue(): ReadingQueue {
  const healthChecks = createLine();
  const others = createLine();

  function lineOf(connection: NewConnection) {
    return connection.isHealthCheck() ? healthChecks : others;
  }

  return {
    isEmpty: () => healthChecks.isEmpty() && others.isEmpty(),
    add: (connection) => lineOf(connection).add(connection),
    takeHealthCheck() {
      let connection = healthChecks.take();
      while (connection !== undefined && !connection.isHealthCheck()) {
        others.add(connection);
        connection = healthChecks.take();
      }
      return connection;
    },
    take: others.take,
  };
}

function createLine() {
  /** In the order in which they were accepted: a crowd that sends later than it came is not taken for the newest. */
  const waiting: NewConnection[] = [];
  let isOldestNext = false;

  function takeNext(): NewConnection | undefined {
    const connection = isOldestNext ? waiting.shift() : waiting.pop();
    isOldestNext = !isOldestNext;
    return connection;
  }

  return {
    isEmpty: () => waiting.length === 0,
    add(connection: NewConnection): void {
      const before = waiting.findLastIndex(({ order }) => order < connection.order);
      waiting.splice(before + 1, 0, connection);
    },
    take(): NewConnection | undefined {
      let connection = takeNext();
      while (connection?.isGone()) connection = takeNext();
      return connection;
    },
  };
}
