import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createSilentConnections, type SilentConnections } from './silent-connections.ts';

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
  readonly silent: Pick<SilentConnections, 'list' | 'findOldest'>;
  /** The one on which nothing has moved for longest of those that are idle, or on which nothing has for so long. */
  findQuiet(isIdle: (socket: Socket) => boolean, milliseconds: number): Socket | undefined;
  /** Looks at every connection again. */
  update(): void;
}

export function createConnectionActivity(): ConnectionActivity {
  /** The one on which nothing has moved for longest comes first. */
  const open = new Map<Socket, Activity>();
  const silent = createSilentConnections();

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
      silent.add(socket, since);
      socket.once('close', () => forget(socket));
    },
    forget,
    sockets: () => open.keys(),
    silent,
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
