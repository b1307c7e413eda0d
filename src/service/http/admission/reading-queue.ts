/** A connection on which something has arrived for the first time. */
export interface NewConnection {
  /** Its place in the order in which they were accepted. */
  readonly order: number;
  /** How much has arrived on it. */
  readonly bytes: number;
  readonly start: () => void;
}

/** New connections that wait to be read. */
export interface ReadingQueue {
  isEmpty(): boolean;
  add(connection: NewConnection): void;
  /**
   * Starts so many, or until it is enough, from both ends: a crowd that came at once is in the middle, and others were
   * there before it or came since. Those that sent many requests, each of which takes as long as all others together,
   * wait for them, but for one in some turns.
   */
  startSome(count: number, isEnough: () => boolean): void;
}

/** One request is hardly ever longer. */
const MANY_REQUESTS_BYTES = 2 * 1024;

const TURNS_PER_MANY = 4;

export function createReadingQueue(): ReadingQueue {
  /** In the order in which they were accepted: a crowd that sends later than it came is not taken for the newest. */
  const waiting: NewConnection[] = [];
  /** In the order in which they came. */
  const withMany: NewConnection[] = [];
  let turn = 0;

  return {
    isEmpty: () => waiting.length === 0 && withMany.length === 0,
    add(connection) {
      if (connection.bytes > MANY_REQUESTS_BYTES) {
        withMany.push(connection);
        return;
      }
      const before = waiting.findLastIndex(({ order }) => order < connection.order);
      waiting.splice(before + 1, 0, connection);
    },
    startSome(count, isEnough) {
      for (let index = 0; index < count && !isEnough(); index += 1)
        (index % 2 === 0 ? waiting.pop() : waiting.shift())?.start();
      turn += 1;
      if (waiting.length === 0 || turn % TURNS_PER_MANY === 0) withMany.shift()?.start();
    },
  };
}
