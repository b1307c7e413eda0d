import type { Socket } from 'node:net';
import type { Limits } from './limits.ts';
import { createReadingBudget } from './reading-budget.ts';
import { createReadingQueue, type NewConnection } from './reading-queue.ts';
import type { Turns } from './turns.ts';

/**
 * Bounds how much is read in a turn of the event loop, which reads every connection on which something arrived: when
 * thousands of requests or new connections came at once, or clients closed thousands of connections, all connections wait,
 * and in each turn only so much is read on them.
 */
export interface Reading {
  /** Starts a new connection on which something has arrived: at once, or in its turn when others wait. */
  begin(connection: NewConnection): void;
  /** Has a new connection wait no longer: it is closed, or was started without its turn. */
  forget(connection: NewConnection): void;
  /** Has a connection wait with the others from now on, and counts its end. */
  follow(socket: Socket): void;
  /** Counts a request that was read. */
  count(isPipelined: boolean): void;
  /** Whether connections wait to be read, or were resumed and not read yet. */
  isBehind(): boolean;
}

export function createReading(
  limits: Pick<
    Limits,
    'requestsPerTurn' | 'pipelinedWeight' | 'connectionWeight' | 'deferredPerTurn'
  >,
  { next }: Pick<Turns, 'next'>,
): Reading {
  /** The oldest comes first. */
  const open = new Set<Socket>();
  const arrived = createReadingQueue();
  const { spend, isSpent, startTurn } = createReadingBudget(limits, pauseAll);
  let isPaused = false;
  let isScheduled = false;
  /** Turns whose connections were resumed and not read yet. */
  let resuming = 0;

  function pauseAll(): void {
    isPaused = open.size > 0;
    for (const socket of open) socket.pause();
    schedule();
  }

  function isWaiting(): boolean {
    return isPaused || !arrived.isEmpty();
  }

  function schedule(): void {
    if (isScheduled || !isWaiting()) return;
    isScheduled = true;
    next(readSome);
  }

  /**
   * New connections that bring a health check, other new ones, and those that were there before may each take what may be
   * read in a turn: none waits for the others.
   */
  function readSome(): void {
    isScheduled = false;
    for (const take of [arrived.takeHealthCheck, arrived.takeOther]) {
      startTurn();
      for (let left = limits.deferredPerTurn; left > 0 && !isSpent(); left -= 1) take()?.start();
    }
    // Those that their clients have closed meanwhile end now, before the turn of the others begins.
    process.nextTick(resumeOthers);
  }

  function resumeOthers(): void {
    startTurn();
    if (isPaused) resumeAll();
    resuming += 1;
    setImmediate(endResuming);
    schedule();
  }

  /** From both ends likewise: on Linux the system mostly has them read in this order, until all are paused again. */
  function resumeAll(): void {
    isPaused = false;
    const sockets = [...open];
    for (let index = 0; index < sockets.length; index += 1)
      sockets.at(index % 2 === 0 ? -1 - index / 2 : (index - 1) / 2)?.resume();
  }

  /** It takes about as long to close a connection as to start it. */
  function countEnd(): void {
    spend(limits.connectionWeight);
  }

  /** What has arrived on them was read at the start of this turn. */
  function endResuming(): void {
    resuming -= 1;
  }

  return {
    isBehind: () => isWaiting() || resuming > 0,
    begin(connection) {
      if (isWaiting()) {
        arrived.add(connection);
        return;
      }
      spend(limits.connectionWeight);
      connection.start();
    },
    forget: arrived.delete,
    follow(socket) {
      open.add(socket);
      socket.once('end', countEnd).once('error', countEnd);
      socket.once('close', () => open.delete(socket));
    },
    count: (isPipelined) => spend(isPipelined ? limits.pipelinedWeight : 1),
  };
}
