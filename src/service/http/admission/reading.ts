import type { Socket } from 'node:net';
import type { Limits } from './limits.ts';
import type { Turns } from './turns.ts';

/** Requests up to this weight are carried over into the next turn, which saves noticing where it starts. */
const COUNTED_FROM = 32;

/** A connection on which something has arrived for the first time. */
interface NewConnection {
  /** Its place in the order in which they were accepted. */
  readonly number: number;
  readonly start: () => void;
}

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
  /** Those of them that are paused, in the same order. */
  let paused: Socket[] = [];
  /** New ones, in the order in which they were accepted: a crowd that sends later than it came is not taken for the newest. */
  const arrived: NewConnection[] = [];
  let isScheduled = false;
  /** Turns whose connections were resumed and not read yet. */
  let resuming = 0;
  /** What was read in this turn, in requests. */
  let read = 0;
  let isCounting = false;

  function pauseAll(): void {
    paused = [...open].map((socket) => socket.pause());
    schedule();
  }

  function isAnyWaiting(): boolean {
    return paused.length > 0 || arrived.length > 0;
  }

  function isFull(): boolean {
    return read >= limits.requestsPerTurn;
  }

  function schedule(): void {
    if (isScheduled || !isAnyWaiting()) return;
    isScheduled = true;
    next(resumeSome);
  }

  /** From both ends: a crowd that came at once is in the middle, and others were there before it or came since. */
  function resumeSome(): void {
    isScheduled = false;
    for (let index = 0; index < limits.deferredPerTurn && !isFull(); index += 1) {
      if (index % 2 === 0) readNewest();
      else readOldest();
    }
    resuming += 1;
    setImmediate(endResuming);
    schedule();
  }

  function readNewest(): void {
    const connection = arrived.pop();
    if (connection === undefined) paused.pop()?.resume();
    else connection.start();
  }

  function readOldest(): void {
    const socket = paused.shift();
    if (socket === undefined) arrived.shift()?.start();
    else socket.resume();
  }

  function insert(connection: NewConnection): void {
    const before = arrived.findLastIndex(({ number }) => number < connection.number);
    arrived.splice(before + 1, 0, connection);
  }

  /** What has arrived on them was read at the start of this turn. */
  function endResuming(): void {
    resuming -= 1;
  }

  function startTurn(): void {
    isCounting = false;
    read = 0;
  }

  function add(weight: number): void {
    const before = read;
    read += weight;
    if (read < COUNTED_FROM) return;
    if (!isCounting) setImmediate(startTurn);
    isCounting = true;
    if (before < limits.requestsPerTurn && isFull()) pauseAll();
  }

  return {
    isBehind: () => isAnyWaiting() || resuming > 0,
    begin(connection) {
      if (isAnyWaiting()) {
        insert(connection);
        return;
      }
      add(limits.connectionWeight);
      connection.start();
    },
    follow(socket) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    count: (isPipelined) => add(isPipelined ? limits.pipelinedWeight : 1),
  };
}
