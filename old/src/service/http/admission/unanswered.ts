import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Backlog, createBacklogs } from './backlogs.ts';
import type { Limits } from './limits.ts';
import type { ConnectionLimit, Refusals } from './refusals.ts';

/** What an unread response costs besides its bytes, roughly. */
const RESPONSE_BYTES = 4 * 1024;

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
  const backlogs = createBacklogs();
  const { total, find, change } = backlogs;

  function close(backlog: Backlog, limit: ConnectionLimit): void {
    backlogs.forget(backlog);
    refusals.closeConnection(backlog.socket, limit);
  }

  /** Whoever has most makes room for the others. */
  function closeLargest(amount: 'requests' | 'unreadBytes', limit: ConnectionLimit): void {
    const largest = backlogs.findLargest(amount);
    if (largest !== undefined) close(largest, limit);
  }

  return {
    add(response) {
      const { socket } = response.req;
      if (socket.destroyed) return false;
      const backlog = find(socket) ?? backlogs.add(socket);
      backlog.latest = response;
      change(backlog, 1, 0);
      response.on('finish', () => change(backlog, -1, 0));
      if (backlog.requests > limits.unansweredRequests) close(backlog, 'unanswered_requests');
      if (total.pipelined > limits.pipelinedRequests)
        closeLargest('requests', 'unanswered_requests');
      return !socket.destroyed;
    },

    countUnread(response) {
      const backlog = find(response.req.socket);
      if (backlog === undefined) return;
      const bytes = response.writableLength + RESPONSE_BYTES;
      change(backlog, 0, bytes);
      response.on('finish', () => change(backlog, 0, -bytes));
      if (total.unreadBytes > limits.unreadBytes) closeLargest('unreadBytes', 'unread_responses');
    },

    findLatest: (socket) => find(socket)?.latest,
    isWaiting: (socket) => (backlogs.findByPeer(socket)?.requests ?? 0) > 0,
    hasUnread: () => total.unreadBytes > 0,
  };
}
