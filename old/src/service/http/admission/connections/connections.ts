import type { Server, Socket } from 'node:net';
import type { Limits } from '../limits.ts';
import type { Reading } from '../reading.ts';
import type { Refusals } from '../refusals.ts';
import type { Turns } from '../turns.ts';
import { createConnectionActivity } from './activity.ts';
import { createConnectionAdmission } from './connection-admission.ts';
import { createFirstBytes } from './first-bytes.ts';

type ConnectionLimits = Pick<
  Limits,
  | 'maxConnections'
  | 'silentTime'
  | 'quietTime'
  | 'connectionsPerAddress'
  | 'isExemptAddress'
  | 'firstByteTimeout'
  | 'firstBytes'
  | 'deferredPerTurn'
>;

/** Every connection of some servers together: those of the service's port, or that of the metrics port. */
export interface Connections {
  /**
   * Admits or closes each new connection of a server, whose listeners for connections, all added before, get it when its
   * first bytes have arrived: they cost most of its time, and many connections never send anything.
   */
  watch(server: Server): void;
  readonly size: number;
  /** Destroys those on which nothing arrived for so many milliseconds since they were opened, a few per turn. */
  closeSilent(milliseconds: number): void;
  closeAll(): void;
  /** Ends the watch, after all servers. */
  close(): void;
}

interface Parts {
  readonly refusals: Pick<Refusals, 'closeConnection'>;
  readonly turns: Pick<Turns, 'skip' | 'next'>;
  readonly reading: Pick<Reading, 'begin' | 'forget'>;
  /** Whether a connection waits for a response. */
  readonly isWaiting: (socket: Socket) => boolean;
}

export function createConnections(
  limits: ConnectionLimits,
  { refusals, turns, reading, isWaiting }: Parts,
): Connections {
  const open = createConnectionActivity();
  const starting = createFirstBytes(limits, reading);
  const { admit } = createConnectionAdmission(limits, { open, refusals, isIdle });

  function isIdle(socket: Socket): boolean {
    return !isWaiting(socket) && !starting.isHolding(socket);
  }

  function watch(server: Server): void {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      // The next is accepted in the next turn.
      turns.skip();
      if (!admit(socket)) return;
      starting.startWhenReadable(socket, () => {
        for (const listener of listeners) listener.call(server, socket);
      });
    });
  }

  function closeSilent(milliseconds: number): void {
    let left = limits.deferredPerTurn;
    for (const socket of open.silent.list(milliseconds)) {
      refusals.closeConnection(socket, 'first_byte');
      left -= 1;
      if (left > 0) continue;
      turns.next(() => closeSilent(milliseconds));
      return;
    }
  }

  const period = Math.min(limits.firstByteTimeout / 2, 500);
  const timer = setInterval(() => {
    closeSilent(limits.firstByteTimeout);
    open.update();
  }, period).unref();

  return {
    watch,
    get size() {
      return open.size;
    },
    closeSilent,
    closeAll() {
      for (const socket of open.sockets()) socket.destroy();
    },
    close: () => clearInterval(timer),
  };
}
