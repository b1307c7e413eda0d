import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Limits } from './limits.ts';
import type { ConnectionLimit, Refusals } from './refusals.ts';

/** What an unread response costs besides its bytes, roughly. */
const RESPONSE_BYTES = 4 * 1024;

interface Backlog {
  readonly socket: Socket;
  readonly peer: string;
  /** Requests whose response was not sent completely. */
  requests: number;
  /** Bytes of responses that the client has not taken. */
  unreadBytes: number;
  /** One is enough: responses are sent in the order of their requests, so when the latest is sent, all are. */
  latest: ServerResponse | undefined;
}

/** Follows what each connection still has to receive. Responses that the system takes at once need not be added. */
export interface Unanswered {
  /** Adds a response that is not sent yet, in the order of the requests. False when its connection was closed for having too many. */
  add(response: ServerResponse): boolean;
  /** Counts what is left of a response that was added and written. */
  countUnread(response: ServerResponse): void;
  /** The latest response that was added on a connection. */
  findLatest(socket: Duplex): ServerResponse | undefined;
  /** Whether a response that was added is not sent yet. With TLS the socket may be the one below it. */
  isWaiting(socket: Socket): boolean;
  /** Whether a client has not taken the whole of a response that was written. */
  hasUnread(): boolean;
}

export function createUnanswered(
  limits: Pick<Limits, 'unansweredRequests' | 'pipelinedRequests' | 'unreadBytes'>,
  refusals: Refusals,
): Unanswered {
  const backlogs = new Map<Duplex, Backlog>();
  const peers = new Map<string, Backlog>();
  const total = { pipelined: 0, unreadBytes: 0 };

  function openBacklog(socket: Socket): Backlog {
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

  function close(backlog: Backlog, limit: ConnectionLimit): void {
    forget(backlog);
    refusals.closeConnection(backlog.socket, limit);
  }

  /** Whoever has most makes room for the others. */
  function closeLargest(amount: 'requests' | 'unreadBytes', limit: ConnectionLimit): void {
    let largest: Backlog | undefined;
    for (const one of backlogs.values()) if (one[amount] > (largest?.[amount] ?? 0)) largest = one;
    if (largest !== undefined) close(largest, limit);
  }

  return {
    add(response) {
      const { socket } = response.req;
      if (socket.destroyed) return false;
      const backlog = backlogs.get(socket) ?? openBacklog(socket);
      backlog.latest = response;
      change(backlog, 1, 0);
      response.on('finish', () => change(backlog, -1, 0));
      if (backlog.requests > limits.unansweredRequests) close(backlog, 'unanswered_requests');
      if (total.pipelined > limits.pipelinedRequests)
        closeLargest('requests', 'unanswered_requests');
      return !socket.destroyed;
    },

    countUnread(response) {
      const backlog = backlogs.get(response.req.socket);
      if (backlog === undefined) return;
      const bytes = response.writableLength + RESPONSE_BYTES;
      change(backlog, 0, bytes);
      response.on('finish', () => change(backlog, 0, -bytes));
      if (total.unreadBytes > limits.unreadBytes) closeLargest('unreadBytes', 'unread_responses');
    },

    findLatest: (socket) => backlogs.get(socket)?.latest,
    isWaiting: (socket) => (peers.get(formatPeer(socket))?.requests ?? 0) > 0,
    hasUnread: () => total.unreadBytes > 0,
  };
}

function formatPeer({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Requests that were sent before the first one had its response. */
function countPipelined({ requests }: Backlog): number {
  return Math.max(0, requests - 1);
}
