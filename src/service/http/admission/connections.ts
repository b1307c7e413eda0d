import type { Server, Socket } from 'node:net';
import { createConnectionActivity } from './activity.ts';
import { createClientNetworks } from './client-networks.ts';
import type { Limits } from './limits.ts';
import type { Reading } from './reading.ts';
import type { ConnectionLimit, Refusals } from './refusals.ts';
import type { Turns } from './turns.ts';

type ConnectionLimits = Pick<
  Limits,
  | 'maxConnections'
  | 'silentTime'
  | 'quietTime'
  | 'connectionsPerAddress'
  | 'isExemptAddress'
  | 'firstByteTimeout'
  | 'firstBytes'
>;

/** Every connection of some servers together: those of the service's port, or that of the metrics port. */
export interface Connections {
  /**
   * Admits or closes each new connection of a server, whose listeners for connections, all added before, get it when its
   * first bytes have arrived: they cost most of its time, and many connections never send anything.
   */
  watch(server: Server): void;
  readonly size: number;
  /** Destroys those on which nothing arrived for so many milliseconds since they were opened. */
  closeSilent(milliseconds: number): void;
  closeAll(): void;
  /** Ends the watch, after all servers. */
  close(): void;
}

interface Parts {
  readonly refusals: Pick<Refusals, 'closeConnection'>;
  readonly turns: Pick<Turns, 'skip'>;
  readonly reading: Pick<Reading, 'begin'>;
  /** Whether a connection waits for a response. */
  readonly isWaiting: (socket: Socket) => boolean;
}

export function createConnections(
  limits: ConnectionLimits,
  { refusals, turns, reading, isWaiting }: Parts,
): Connections {
  const open = createConnectionActivity();
  const networks = createClientNetworks(limits);
  /** What has arrived on connections that are not started yet, in all and on each. */
  let heldBytes = 0;
  const held = new Map<Socket, number>();
  let accepted = 0;

  function watch(server: Server): void {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (!admit(socket)) return;
      socket.on('error', ignoreError);
      startWhenReadable(socket, () => {
        for (const listener of listeners) listener.call(server, socket);
      });
    });
  }

  /** Starts a connection in its turn after its first bytes, or at once when too many bytes wait for theirs. */
  function startWhenReadable(socket: Socket, start: () => void): void {
    accepted += 1;
    const number = accepted;
    function startOnce(): void {
      const bytes = held.get(socket);
      if (bytes === undefined) return;
      heldBytes -= bytes;
      held.delete(socket);
      socket.off('readable', onReadable);
      // To its listeners one that is closed by now would never be closed.
      if (!socket.destroyed) start();
    }
    function onReadable(): void {
      if (socket.readableLength === 0) {
        closeAtEnd(socket);
        return;
      }
      const before = held.get(socket);
      held.set(socket, socket.readableLength);
      heldBytes += socket.readableLength - (before ?? 0);
      if (heldBytes > limits.firstBytes) startOnce();
      else if (before === undefined) reading.begin({ number, start: startOnce });
    }
    socket.on('readable', onReadable);
  }

  function admit(socket: Socket): boolean {
    // The next is accepted in the next turn.
    turns.skip();
    const limit = findLimit(socket);
    if (limit !== undefined) {
      refusals.closeConnection(socket, limit);
      return false;
    }
    open.follow(socket);
    networks.count(socket);
    return true;
  }

  function findLimit(socket: Socket): ConnectionLimit | undefined {
    if (networks.isFull(socket)) return 'connections_of_address';
    return open.size < limits.maxConnections || makeRoom() ? undefined : 'connections';
  }

  function makeRoom(): boolean {
    // The request of one that was opened just now may be on its way.
    const socket =
      findSilent(limits.silentTime) ?? open.findQuiet(isIdle, limits.quietTime) ?? findSilent(0);
    if (socket === undefined) return false;
    open.forget(socket);
    refusals.closeConnection(socket, 'connections');
    return true;
  }

  function findSilent(milliseconds: number): Socket | undefined {
    const [oldest] = open.listSilent(milliseconds);
    return oldest;
  }

  function isIdle(socket: Socket): boolean {
    return !isWaiting(socket) && !held.has(socket);
  }

  function closeSilent(milliseconds: number): void {
    for (const socket of open.listSilent(milliseconds))
      refusals.closeConnection(socket, 'first_byte');
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

/** For a connection that its client ends without having sent anything. */
function closeAtEnd(socket: Socket): void {
  socket.once('end', () => socket.destroy());
  socket.read();
}

/** Without a listener the error of a connection that nobody serves yet would end the service. */
function ignoreError(): void {}
