import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Limits } from './limits.ts';
import type { Refusals } from './refusals.ts';

/** What an unread response costs besides its bytes, roughly. */
const RESPONSE_BYTES = 4 * 1024;

interface Backlog {
  readonly socket: Socket;
  /** Requests whose response was not sent completely. */
  requests: number;
  /** Bytes of responses that the client has not taken. */
  unreadBytes: number;
  /**
   * One is enough: responses are sent in the order of their requests, so when the latest is sent, all are.
   */
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
}

export function createUnanswered(
  limits: Pick<Limits, 'unansweredRequests' | 'unreadBytes'>,
  refusals: Refusals,
): Unanswered {
  const backlogs = new WeakMap<Duplex, Backlog>();
  const unread = new Set<Backlog>();
  let unreadBytes = 0;

  function openBacklog(socket: Socket): Backlog {
    const backlog: Backlog = { socket, requests: 0, unreadBytes: 0, latest: undefined };
    backlogs.set(socket, backlog);
    socket.once('close', () => forget(backlog));
    return backlog;
  }

  function changeUnread(backlog: Backlog, bytes: number): void {
    if (bytes < 0 && !unread.has(backlog)) return;
    unreadBytes += bytes;
    backlog.unreadBytes += bytes;
    if (backlog.unreadBytes > 0) unread.add(backlog);
    else unread.delete(backlog);
  }

  function forget(backlog: Backlog): void {
    changeUnread(backlog, -backlog.unreadBytes);
  }

  /** Whoever reads least makes room for the others. */
  function closeWorst(): void {
    let worst: Backlog | undefined;
    for (const one of unread) if (one.unreadBytes > (worst?.unreadBytes ?? 0)) worst = one;
    if (worst === undefined) return;
    forget(worst);
    refusals.closeConnection(worst.socket, 'unread_responses');
  }

  return {
    add(response) {
      const { socket } = response.req;
      const backlog = backlogs.get(socket) ?? openBacklog(socket);
      backlog.latest = response;
      backlog.requests += 1;
      response.once('finish', () => {
        backlog.requests -= 1;
      });
      if (backlog.requests <= limits.unansweredRequests) return true;
      refusals.closeConnection(socket, 'unanswered_requests');
      return false;
    },

    countUnread(response) {
      const backlog = backlogs.get(response.req.socket);
      if (backlog === undefined || backlog.socket.destroyed) return;
      const bytes = response.writableLength + RESPONSE_BYTES;
      changeUnread(backlog, bytes);
      response.once('finish', () => changeUnread(backlog, -bytes));
      if (unreadBytes > limits.unreadBytes) closeWorst();
    },

    findLatest: (socket) => backlogs.get(socket)?.latest,
  };
}
