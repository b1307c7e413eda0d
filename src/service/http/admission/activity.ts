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

  /**
   * Puts connections on which something has moved since they were last looked at behind the others. Of those the ones opened
   * last come first, as nobody knows on which of them something has moved for longest: a crowd opens its connections after
   * the clients that were there before.
   */
  function putBehind(moved: readonly Socket[]): Socket[] {
    const since = performance.now();
    const newestFirst = moved.toReversed();
    for (const socket of newestFirst) {
      open.delete(socket);
      open.set(socket, { bytes: countBytes(socket), since });
    }
    return newestFirst;
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
      const moved: Socket[] = [];
      let quiet: Socket | undefined;
      for (const [socket, { bytes, since }] of open) {
        if (countBytes(socket) !== bytes) moved.push(socket);
        else if ((bytes > 0 && isIdle(socket)) || since <= before) {
          quiet = socket;
          break;
        }
      }
      const newestFirst = putBehind(moved);
      return quiet ?? newestFirst.find(isIdle);
    },
    update() {
      putBehind(
        [...open].flatMap(([socket, { bytes }]) => (countBytes(socket) === bytes ? [] : [socket])),
      );
    },
  };
}

function countBytes({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten;
}
