import type { Socket } from 'node:net';
import type { Target } from './attack.ts';
import { openSocket } from './sockets.ts';

export interface PipelinedRequests {
  readonly count: number;
  /** Requests without a response at any time. */
  readonly window: number;
  /** The bytes of the n-th request. */
  request(index: number): string;
  /** When to give up, in milliseconds from the start. */
  readonly timeout: number;
}

/** Responses by status. */
export type Statuses = Map<number, number>;

/** Sends requests one after the other on one socket and counts the responses, until all are there or the socket is closed. */
export async function sendPipelined(
  target: Target,
  { count, window, request, timeout }: PipelinedRequests,
): Promise<Statuses> {
  const socket = await openSocket(target);
  const statuses: Statuses = new Map();
  let sent = 0;
  let received = 0;
  const sendMore = () => {
    const upTo = Math.min(count, received + window);
    let bytes = '';
    for (; sent < upTo; sent += 1) bytes += request(sent);
    if (bytes !== '' && socket.writable) socket.write(bytes);
  };
  await new Promise<void>((resolve) => {
    const giveUp = setTimeout(resolve, timeout);
    const finish = () => {
      clearTimeout(giveUp);
      resolve();
    };
    onStatus(socket, (status) => {
      received += 1;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (received === count) finish();
      else if (sent - received < window / 2) sendMore();
    });
    socket.once('close', finish).once('end', finish);
    sendMore();
  });
  socket.destroy();
  return statuses;
}

/** Calls back for every status line; no body of this service has one in it. */
function onStatus(socket: Socket, note: (status: number) => void): void {
  let rest = '';
  socket.on('data', (chunk) => {
    const text = rest + chunk.toString('latin1');
    let end = 0;
    for (const match of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      end = match.index + match[0].length;
      note(Number(match[1]));
    }
    rest = text.slice(Math.max(end, text.length - 12));
  });
}

export function mergeStatuses(all: readonly Statuses[]): Statuses {
  const merged: Statuses = new Map();
  for (const one of all)
    for (const [status, count] of one) merged.set(status, (merged.get(status) ?? 0) + count);
  return merged;
}

export function describeStatuses(statuses: Statuses): string {
  const counts = [...statuses].sort().map(([status, count]) => `${count} × ${status}`);
  return counts.join(', ') || 'no response';
}
