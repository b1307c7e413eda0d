import type { Socket } from 'node:net';
import type { Limits } from './limits.ts';
import { createReadingBudget } from './reading-budget.ts';
import { createReadingQueue, type NewConnection } from './reading-queue.ts';
import type { Turns } from './turns.ts';

/**
 * Bounds how much is read in a turn of the event loop, which reads every connection on which something arrived: when
 * thousands of requests or new connections came at once, all connections wait and are then read a few per turn.
 */
export interface Reading {
  /** Starts a new connection on which something has arrived: at once, or in its turn when others wait. */
  begin(connection: NewConnection): void;
  /** Has a connection wait with the others from now on. */
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
  const waiting = createReadingQueue();
  const { spend, isSpent } = createReadingBudget(limits, pauseAll);
  let isScheduled = false;
  /** Turns whose connections were resumed and not read yet. */
  let resuming = 0;

  function pauseAll(): void {
    waiting.pause(open);
    schedule();
  }

  function schedule(): void {
    if (isScheduled || waiting.isEmpty()) return;
    isScheduled = true;
    next(resumeSome);
  }

  /** From both ends: a crowd that came at once is in the middle, and others were there before it or came since. */
  function resumeSome(): void {
    isScheduled = false;
    for (let index = 0; index < limits.deferredPerTurn && !isSpent(); index += 1) {
      if (index % 2 === 0) waiting.readNewest();
      else waiting.readOldest();
    }
    resuming += 1;
    setImmediate(endResuming);
    schedule();
  }

  /** What has arrived on them was read at the start of this turn. */
  function endResuming(): void {
    resuming -= 1;
  }

  return {
    isBehind: () => !waiting.isEmpty() || resuming > 0,
    begin(connection) {
      if (!waiting.isEmpty()) {
        waiting.add(connection);
        return;
      }
      spend(limits.connectionWeight);
      connection.start();
    },
    follow(socket) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    count: (isPipelined) => spend(isPipelined ? limits.pipelinedWeight : 1),
  };
}
