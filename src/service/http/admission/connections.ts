import type { Server, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Limits } from './limits.ts';
import { toClientNetwork } from './peer-address.ts';
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
>;

/** How many bytes had moved on a connection, in both directions, when it was seen to be more than before. */
interface Activity {
  readonly bytes: number;
  readonly since: number;
}

/** Every connection of some servers together: those of the service's port, or that of the metrics port. */
export interface Connections {
  /**
   * Admits or closes each new connection of a server. Its listeners, which cost most of the time that a connection takes,
   * have it once something has arrived on it: others wait to be accepted, and many never send anything. To be called when
   * the server has them all.
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
  /** The one on which nothing has moved for longest comes first. */
  const open = new Map<Socket, Activity>();
  /** Connections on which nothing had arrived yet when last looked at, with the time they were opened; the oldest first. */
  const silent = new Map<Socket, number>();
  const networks = new Map<string, number>();

  function findLimit(network: string | undefined): ConnectionLimit | undefined {
    if (network !== undefined && (networks.get(network) ?? 0) >= limits.connectionsPerAddress)
      return 'connections_of_address';
    return open.size < limits.maxConnections || makeRoom() ? undefined : 'connections';
  }

  /** The request of one that was opened just now may be on its way. */
  function makeRoom(): boolean {
    return closeOldestSilent(limits.silentTime) || closeLongestQuiet() || closeOldestSilent(0);
  }

  function watch(server: Server): void {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (!admit(socket)) return;
      socket.on('error', ignoreError);
      const resume = () => {
        for (const listener of listeners) listener.call(server, socket);
      };
      socket.once('readable', () => reading.begin({ resume }));
    });
  }

  function admit(socket: Socket): boolean {
    // The next is accepted in the next turn.
    turns.skip();
    const network = findNetwork(socket, limits.isExemptAddress);
    const limit = findLimit(network);
    if (limit === undefined) track(socket, network);
    else refusals.closeConnection(socket, limit);
    return limit === undefined;
  }

  function track(socket: Socket, network: string | undefined): void {
    const since = performance.now();
    open.set(socket, { bytes: 0, since });
    silent.set(socket, since);
    if (network !== undefined) networks.set(network, (networks.get(network) ?? 0) + 1);
    socket.once('close', () => {
      forget(socket);
      if (network !== undefined) release(networks, network);
    });
  }

  function forget(socket: Socket): void {
    open.delete(socket);
    silent.delete(socket);
  }

  /** The connections that have sent nothing, the oldest first; those that have are not looked at again. */
  function* listSilent(): Generator<[socket: Socket, openedAt: number]> {
    for (const entry of silent) {
      if (entry[0].bytesRead > 0) silent.delete(entry[0]);
      else yield entry;
    }
  }

  function closeOldestSilent(milliseconds: number): boolean {
    const before = performance.now() - milliseconds;
    for (const [socket, openedAt] of listSilent()) return openedAt <= before && replace(socket);
    return false;
  }

  /** Whether anything has moved on a connection since it was last looked at; then it goes to the end. */
  function hasMoved(socket: Socket, { bytes }: Activity): boolean {
    const moved = socket.bytesRead + socket.bytesWritten;
    if (moved === bytes) return false;
    open.delete(socket);
    open.set(socket, { bytes: moved, since: performance.now() });
    return true;
  }

  function closeLongestQuiet(): boolean {
    const before = performance.now() - limits.quietTime;
    for (const [socket, activity] of open) {
      if (hasMoved(socket, activity)) continue;
      const isIdle = activity.bytes > 0 && !isWaiting(socket);
      if (isIdle || activity.since <= before) return replace(socket);
    }
    return false;
  }

  function replace(socket: Socket): true {
    forget(socket);
    refusals.closeConnection(socket, 'connections');
    return true;
  }

  function closeSilent(milliseconds: number): void {
    const before = performance.now() - milliseconds;
    for (const [socket, openedAt] of listSilent())
      if (openedAt <= before) refusals.closeConnection(socket, 'first_byte');
  }

  const period = Math.min(limits.firstByteTimeout / 2, 500);
  const timer = setInterval(() => {
    closeSilent(limits.firstByteTimeout);
    for (const [socket, activity] of open) hasMoved(socket, activity);
  }, period).unref();

  return {
    watch,
    get size() {
      return open.size;
    },
    closeSilent,
    closeAll() {
      for (const socket of open.keys()) socket.destroy();
    },
    close: () => clearInterval(timer),
  };
}

/** Without a listener the error of a connection that nobody serves yet would end the service. */
function ignoreError(): void {}

function findNetwork(socket: Socket, isExempt: (address: string) => boolean) {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined || isExempt(remoteAddress)) return undefined;
  return toClientNetwork(remoteAddress);
}

function release(counts: Map<string, number>, name: string): void {
  const left = (counts.get(name) ?? 1) - 1;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}
