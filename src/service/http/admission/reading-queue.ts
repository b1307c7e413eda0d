/** A connection on which something has arrived for the first time. */
export interface NewConnection {
  /** Its place in the order in which they were accepted. */
  readonly order: number;
  readonly start: () => void;
}

/** New connections that wait to be started. */
export interface ReadingQueue {
  isEmpty(): boolean;
  /** Adds one on which something has arrived since it did on all others. */
  add(connection: NewConnection): void;
  /** Takes out one that waits no more, if it is there. */
  delete(connection: NewConnection): void;
  /**
   * Starts one: the newest, then the oldest, then the one that sent first, and so on. A crowd that came at once is in the
   * middle, and others were there before it, came since, or sent before it did.
   */
  startNext(): void;
}

export function createReadingQueue(): ReadingQueue {
  const byArrival = new Set<NewConnection>();
  const byAcceptance: NewConnection[] = [];
  const choices = [
    () => byAcceptance.at(-1),
    () => byAcceptance[0],
    () => byArrival.values().next().value,
  ];
  let starts = 0;

  function remove(connection: NewConnection): void {
    if (byArrival.delete(connection)) byAcceptance.splice(byAcceptance.indexOf(connection), 1);
  }

  return {
    isEmpty: () => byArrival.size === 0,
    add(connection) {
      const before = byAcceptance.findLastIndex(({ order }) => order < connection.order);
      byAcceptance.splice(before + 1, 0, connection);
      byArrival.add(connection);
    },
    delete: remove,
    startNext() {
      const connection = choices[starts % choices.length]?.();
      if (connection === undefined) return;
      starts += 1;
      remove(connection);
      connection.start();
    },
  };
}
