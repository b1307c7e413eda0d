import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createSilentConnections, type SilentConnections } from './silent-connections.ts';

interface Activity {
  /** How many bytes had moved on a connection, in both directions, when it was seen to be more than before. */
  readonly bytes: number;
  readonly since: number;
  /** Its place in the order in which they were opened. */
  readonly order: number;
}

/** What has arrived and moved on open connections. Times in milliseconds. */
export interface ConnectionActivity {
  readonly size: number;
  /** Follows a connection until it is closed or forgotten. */
  follow(socket: Socket): void;
  forget(socket: Socket): void;
  sockets(): Iterable<Socket>;
  readonly silent: Pick<SilentConnections, 'list' | 'findOldest'>;
  /**
   * The one on which nothing has moved for longest of those that are idle, or on which nothing has for so long. Of those on
   * which something moved between the same two looks it is the one opened last: a crowd comes after the clients that were
   * there before.
   */
  findQuiet(isIdle: (socket: Socket) => boolean, milliseconds: number): Socket | undefined;
  /** Looks at every connection again. */
  update(): void;
}

export function createConnectionActivity(): ConnectionActivity {
  /** The one on which nothing has moved for longest comes first. */
  const open = new Map<Socket, Activity>();
  const silent = createSilentConnections();
  let opened = 0;

  function forget(socket: Socket): void {
    open.delete(socket);
    silent.delete(socket);
  }

  /** Puts those on which something has moved since they were last looked at behind the others, the newest first. */
  function putBehind(moved: [Socket, Activity][]): void {
    const since = performance.now();
    for (const [socket, { order }] of moved.sort(compareNewest)) {
      open.delete(socket);
      open.set(socket, { bytes: countBytes(socket), since, order });
    }
  }

  return {
    get size() {
      return open.size;
    },
    follow(socket) {
      const since = performance.now();
      opened += 1;
      open.set(socket, { bytes: 0, since, order: opened });
      silent.add(socket, since);
      socket.once('close', () => forget(socket));
    },
    forget,
    sockets: () => open.keys(),
    silent,
    findQuiet(isIdle, milliseconds) {
      const before = performance.now() - milliseconds;
      const moved: [Socket, Activity][] = [];
      let quiet: Socket | undefined;
      for (const [socket, activity] of open) {
        if (hasMoved(socket, activity)) moved.push([socket, activity]);
        else if ((activity.bytes > 0 && isIdle(socket)) || activity.since <= before) {
          quiet = socket;
          break;
        }
      }
      putBehind(moved);
      return quiet ?? moved.find(([socket]) => isIdle(socket))?.[0];
    },
    update: () => putBehind([...open].filter(([socket, activity]) => hasMoved(socket, activity))),
  };
}

function compareNewest([, one]: [Socket, Activity], [, other]: [Socket, Activity]): number {
  return other.order - one.order;
}

function hasMoved(socket: Socket, { bytes }: Activity): boolean {
  return countBytes(socket) !== bytes;
}

function countBytes({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten;
}
