import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** Connections on which nothing has arrived since they were opened. Times in milliseconds. */
export interface SilentConnections {
  /** Adds one that is opened now, after all others. */
  add(socket: Socket, now: number): void;
  delete(socket: Socket): void;
  /** Those that were opened so long ago or longer; the oldest first. */
  list(milliseconds: number): Iterable<Socket>;
  /** The first of these. */
  findOldest(milliseconds: number): Socket | undefined;
}

export function createSilentConnections(): SilentConnections {
  /** Those on which nothing had arrived yet when last looked at, with the time they were opened; the oldest first. */
  const silent = new Map<Socket, number>();

  /** Those on which something has arrived are not looked at again. */
  function* list(milliseconds: number): Iterable<Socket> {
    const before = performance.now() - milliseconds;
    for (const [socket, openedAt] of silent) {
      if (openedAt > before) return;
      if (socket.bytesRead > 0) silent.delete(socket);
      else yield socket;
    }
  }

  return {
    add: (socket, now) => void silent.set(socket, now),
    delete: (socket) => void silent.delete(socket),
    list,
    findOldest(milliseconds) {
      const [oldest] = list(milliseconds);
      return oldest;
    },
  };
}
