import type { Socket } from 'node:net';
import type { Limits } from './limits.ts';
import type { Turns } from './turns.ts';

/** Fewer requests are carried over into the next turn, which saves noticing where it starts. */
const COUNTED_FROM = 32;

/**
 * Bounds how much is read in a turn of the event loop, which reads every connection on which something arrived: when
 * thousands of requests came at once, all connections are paused and then read a few per turn.
 */
export interface Reading {
  /** Has a new connection wait as well while others do. */
  follow(socket: Socket): void;
  /** Counts a request that was read. */
  count(isPipelined: boolean): void;
  /** Whether connections wait to be read, or were resumed and not read yet. */
  isBehind(): boolean;
}

export function createReading(
  limits: Pick<Limits, 'requestsPerTurn' | 'pipelinedWeight' | 'deferredPerTurn'>,
  { next }: Pick<Turns, 'next'>,
): Reading {
  /** The oldest comes first. */
  const open = new Set<Socket>();
  /** Those of them that are paused, in the same order. */
  let paused: Socket[] = [];
  let isScheduled = false;
  /** Turns whose connections were resumed and not read yet. */
  let resuming = 0;
  /** Requests of this turn. */
  let count = 0;
  let isCounting = false;

  function pause(socket: Socket): void {
    socket.pause();
    paused.push(socket);
    schedule();
  }

  function pauseAll(): void {
    paused = [];
    open.forEach(pause);
  }

  function schedule(): void {
    if (isScheduled || paused.length === 0) return;
    isScheduled = true;
    next(resumeSome);
  }

  /** From both ends: a crowd that came at once is in the middle, and others were there before it or came since. */
  function resumeSome(): void {
    isScheduled = false;
    for (let index = 0; index < limits.deferredPerTurn; index += 1)
      (index % 2 === 0 ? paused.pop() : paused.shift())?.resume();
    resuming += 1;
    setImmediate(endResuming);
    schedule();
  }

  /** What has arrived on them was read at the start of this turn. */
  function endResuming(): void {
    resuming -= 1;
  }

  function startTurn(): void {
    isCounting = false;
    count = 0;
  }

  return {
    isBehind: () => paused.length > 0 || resuming > 0,
    follow(socket) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      // Node resumes a new connection at the end of this tick.
      if (paused.length > 0) process.nextTick(pause, socket);
    },
    count(isPipelined) {
      const before = count;
      count += isPipelined ? limits.pipelinedWeight : 1;
      if (count < COUNTED_FROM) return;
      if (!isCounting) setImmediate(startTurn);
      isCounting = true;
      if (before < limits.requestsPerTurn && count >= limits.requestsPerTurn) pauseAll();
    },
  };
}
