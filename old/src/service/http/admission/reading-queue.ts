/** A connection on which something has arrived for the first time. */
export interface NewConnection {
  /** Its place in the order in which they were accepted. */
  readonly order: number;
  /** Whether what has arrived on it is a health check, and not much more. */
  readonly isHealthCheck: () => boolean;
  readonly start: () => void;
}

/** New connections that wait to be started: health checks apart from the others. */
export interface ReadingQueue {
  isEmpty(): boolean;
  add(connection: NewConnection): void;
  delete(connection: NewConnection): void;
  takeHealthCheck(): NewConnection | undefined;
  takeOther(): NewConnection | undefined;
}

export function createReadingQueue(): ReadingQueue {
  const healthChecks = createQueue();
  const others = createQueue();

  return {
    isEmpty: () => healthChecks.isEmpty() && others.isEmpty(),
    add: (connection) => (connection.isHealthCheck() ? healthChecks : others).add(connection),
    delete(connection) {
      healthChecks.delete(connection);
      others.delete(connection);
    },
    takeHealthCheck() {
      let connection = healthChecks.take();
      // More has arrived since it was added.
      while (connection !== undefined && !connection.isHealthCheck()) {
        others.add(connection);
        connection = healthChecks.take();
      }
      return connection;
    },
    takeOther: others.take,
  };
}

function createQueue() {
  /** In the order in which they were accepted: a crowd that sends later than it came is not taken for the newest. */
  const waiting: NewConnection[] = [];
  let isOldestNext = false;

  return {
    isEmpty: () => waiting.length === 0,
    add(connection: NewConnection): void {
      const before = waiting.findLastIndex(({ order }) => order < connection.order);
      waiting.splice(before + 1, 0, connection);
    },
    delete(connection: NewConnection): void {
      const index = waiting.indexOf(connection);
      if (index >= 0) waiting.splice(index, 1);
    },
    /**
     * Takes the newest and the oldest in turn: a crowd that came at once is in the middle, and others were there before it
     * or came since.
     */
    take(): NewConnection | undefined {
      const connection = isOldestNext ? waiting.shift() : waiting.pop();
      isOldestNext = !isOldestNext;
      return connection;
    },
  };
}
