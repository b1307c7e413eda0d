import type { Socket } from 'node:net';

/** A connection on which something has arrived for the first time. */
export interface NewConnection {
  /** Its place in the order in which they were accepted. */
  readonly order: number;
  readonly start: () => void;
}

/** Connections that wait to be read. A new one counts as newer than all that were started. */
export interface ReadingQueue {
  isEmpty(): boolean;
  /** Pauses connections that were started, the oldest first: all that wait from now on. */
  pause(sockets: Iterable<Socket>): void;
  add(connection: NewConnection): void;
  readNewest(): void;
  /** In turns the oldest of those that were started and of the new ones, so that neither waits for all the others. */
  readOldest(): void;
}

export function createReadingQueue(): ReadingQueue {
  /** The oldest comes first. */
  let paused: Socket[] = [];
  /** New ones, in the order in which they were accepted: a crowd that sends later than it came is not taken for the newest. */
  const arrived: NewConnection[] = [];
  let isNewNext = false;

  return {
    isEmpty: () => paused.length === 0 && arrived.length === 0,
    pause(sockets) {
      paused = [...sockets].map((socket) => socket.pause());
    },
    add(connection) {
      const before = arrived.findLastIndex(({ order }) => order < connection.order);
      arrived.splice(before + 1, 0, connection);
    },
    readNewest() {
      const connection = arrived.pop();
      if (connection === undefined) paused.pop()?.resume();
      else connection.start();
    },
    readOldest() {
      const connection = isNewNext || paused.length === 0 ? arrived.shift() : undefined;
      isNewNext = !isNewNext;
      if (connection === undefined) paused.shift()?.resume();
      else connection.start();
    },
  };
}
