import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What a connection still has to receive. */
export interface Backlog {
  readonly socket: Socket;
  readonly peer: string;
  /** Requests whose response was not sent completely. */
  requests: number;
  /** Bytes of responses that the client has not taken. */
  unreadBytes: number;
  /** One is enough: responses are sent in the order of their requests, so when the latest is sent, all are. */
  latest: ServerResponse | undefined;
}

/** What all connections still have to receive. */
export interface Backlogs {
  readonly total: { readonly pipelined: number; readonly unreadBytes: number };
  /** Adds a backlog without anything, until its connection is closed or it is forgotten. */
  add(socket: Socket): Backlog;
  find(socket: Duplex): Backlog | undefined;
  /** By address and port: with TLS the socket may be the one below that of the backlog. */
  findByPeer(socket: Socket): Backlog | undefined;
  findLargest(amount: 'requests' | 'unreadBytes'): Backlog | undefined;
  /** Adds to the amounts of a backlog. */
  change(backlog: Backlog, requests: number, bytes: number): void;
  forget(backlog: Backlog): void;
}

export function createBacklogs(): Backlogs {
  const backlogs = new Map<Duplex, Backlog>();
  const peers = new Map<string, Backlog>();
  const total = { pipelined: 0, unreadBytes: 0 };

  function add(socket: Socket): Backlog {
    const backlog: Backlog = {
      ...{ socket, peer: formatPeer(socket) },
      ...{ requests: 0, unreadBytes: 0, latest: undefined },
    };
    backlogs.set(socket, backlog);
    peers.set(backlog.peer, backlog);
    socket.once('close', () => forget(backlog));
    return backlog;
  }

  function change(backlog: Backlog, requests: number, bytes: number): void {
    // Of a connection that is closed nothing counts any more.
    if (!backlogs.has(backlog.socket)) return;
    total.pipelined -= countPipelined(backlog);
    backlog.requests += requests;
    total.pipelined += countPipelined(backlog);
    backlog.unreadBytes += bytes;
    total.unreadBytes += bytes;
  }

  function forget(backlog: Backlog): void {
    change(backlog, -backlog.requests, -backlog.unreadBytes);
    backlogs.delete(backlog.socket);
    if (peers.get(backlog.peer) === backlog) peers.delete(backlog.peer);
  }

  function findLargest(amount: 'requests' | 'unreadBytes'): Backlog | undefined {
    let largest: Backlog | undefined;
    for (const one of backlogs.values()) if (one[amount] > (largest?.[amount] ?? 0)) largest = one;
    return largest;
  }

  return {
    ...{ total, add, change, forget, findLargest },
    find: (socket) => backlogs.get(socket),
    findByPeer: (socket) => peers.get(formatPeer(socket)),
  };
}

function formatPeer({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Requests that were sent before the first one had its response. */
function countPipelined({ requests }: Backlog): number {
  return Math.max(0, requests - 1);
}
