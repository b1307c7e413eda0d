import type { Socket } from 'node:net';
import type { Limits } from '../limits.ts';
import type { Reading } from '../reading.ts';

/** As monitoring and load balancers send it, with header fields of a common size. */
const healthCheck = /^(GET|HEAD) \/(healthz|readyz) /;
const HEALTH_CHECK_BYTES = 1_024;

/** Holds new connections back until their first bytes have their turn. */
export interface FirstBytes {
  /** Starts a connection in its turn after its first bytes, or at once when too many bytes wait for theirs. */
  startWhenReadable(socket: Socket, start: () => void): void;
  /** Whether something has arrived on a connection that is not started yet. */
  isHolding(socket: Socket): boolean;
}

export function createFirstBytes(
  limits: Pick<Limits, 'firstBytes'>,
  reading: Pick<Reading, 'begin' | 'forget'>,
): FirstBytes {
  /** What has arrived on connections that are not started yet, in all and on each. */
  let heldBytes = 0;
  const held = new Map<Socket, number>();
  let accepted = 0;

  function startWhenReadable(socket: Socket, start: () => void): void {
    accepted += 1;
    let isRequested: boolean | undefined;
    const connection = { order: accepted, isHealthCheck, start: startNow };
    function isHealthCheck(): boolean {
      // Only while it is small: looking at more would have Node read on, beyond what it holds for a connection.
      if (socket.readableLength > HEALTH_CHECK_BYTES) return false;
      isRequested ??= healthCheck.test(peek(socket));
      return isRequested;
    }
    function release(): void {
      const bytes = held.get(socket);
      if (bytes === undefined) return;
      heldBytes -= bytes;
      held.delete(socket);
      reading.forget(connection);
    }
    function startNow(): void {
      release();
      socket.off('readable', onReadable);
      // Its listeners would never hear that it was closed.
      if (!socket.destroyed) start();
    }
    function onReadable(): void {
      if (socket.readableLength === 0) {
        closeAtEnd(socket);
        return;
      }
      const before = held.get(socket);
      held.set(socket, socket.readableLength);
      heldBytes += socket.readableLength - (before ?? 0);
      if (heldBytes > limits.firstBytes) startNow();
      else if (before === undefined) reading.begin(connection);
    }
    socket.on('error', ignoreError);
    socket.once('close', release);
    socket.on('readable', onReadable);
  }

  return { startWhenReadable, isHolding: (socket) => held.has(socket) };
}

/** For a connection that its client ends without having sent anything. */
function closeAtEnd(socket: Socket): void {
  socket.once('end', () => socket.destroy());
  socket.read();
}

/** Without a listener the error of a connection that nobody serves yet would end the service. */
function ignoreError(): void {}

function peek(socket: Socket): string {
  const bytes: Buffer | null = socket.read();
  if (bytes === null) return '';
  socket.unshift(bytes);
  return bytes.toString('latin1', 0, 20);
}
