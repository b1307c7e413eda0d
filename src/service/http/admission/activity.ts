import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** How many bytes had moved on a connection, in both directions, when it was seen to be more than before. */
interface Activity {
  readonly bytes: number;
  readonly since: number;
}

/** What has arrived and moved on open connections. Times in milliseconds. */
export interface ConnectionActivity {
  readonly size: number;
  /** Follows a connection until it is closed or forgotten. */
  follow(socket: Socket): void;
  forget(socket: Socket): void;
  sockets(): Iterable<Socket>;
  /** The connections on which nothing has arrived since they were opened, so long ago or longer; the oldest first. */
  listSilent(milliseconds: number): Iterable<Socket>;
  /** The one on which nothing has moved for longest of those that are idle, or on which nothing has for so long. */
  findQuiet(isIdle: (socket: Socket) => boolean, milliseconds: number): Socket | undefined;
  /** Looks at every connection again. */
  update(): void;
}

export function createConnectionActivity(): ConnectionActivity {
  /** The one on which nothing has moved for longest comes first. */
  const open = new Map<Socket, Activity>();
  /** Connections on which nothing had arrived yet when last looked at, with the time they were opened; the oldest first. */
  const silent = new Map<Socket, number>();

  function forget(socket: Socket): void {
    open.delete(socket);
    silent.delete(socket);
  }

  /** Whether anything has moved on a connection since it was last looked at; then it goes to the end. */
  function hasMoved(socket: Socket, { bytes }: Activity): boolean {
    const moved = socket.bytesRead + socket.bytesWritten;
    if (moved === bytes) return false;
    open.delete(socket);
    open.set(socket, { bytes: moved, since: performance.now() });
    return true;
  }

  return {
    get size() {
      return open.size;
    },
    follow(socket) {
      const since = performance.now();
      open.set(socket, { bytes: 0, since });
      silent.set(socket, since);
      socket.once('close', () => forget(socket));
    },
    forget,
    sockets: () => open.keys(),
    /** Those on which something has arrived are not looked at again. */
    *listSilent(milliseconds) {
      const before = performance.now() - milliseconds;
      for (const [socket, openedAt] of silent) {
        if (openedAt > before) return;
        if (socket.bytesRead > 0) silent.delete(socket);
        else yield socket;
      }
    },
    findQuiet(isIdle, milliseconds) {
      const before = performance.now() - milliseconds;
      for (const [socket, activity] of open) {
        if (hasMoved(socket, activity)) continue;
        if ((activity.bytes > 0 && isIdle(socket)) || activity.since <= before) return socket;
      }
      return undefined;
    },
    update() {
      for (const [socket, activity] of open) hasMoved(socket, activity);
    },
  };
}
