import type { Socket } from 'node:net';
import type { Limits } from '../limits.ts';
import type { Reading } from '../reading.ts';

/** Holds new connections back until their first bytes have their turn. */
export interface FirstBytes {
  /** Starts a connection in its turn after its first bytes, or at once when too many bytes wait for theirs. */
  startWhenReadable(socket: Socket, start: () => void): void;
  /** Whether something has arrived on a connection that is not started yet. */
  isHolding(socket: Socket): boolean;
}

export function createFirstBytes(
  limits: Pick<Limits, 'firstBytes'>,
  reading: Pick<Reading, 'begin'>,
): FirstBytes {
  /** What has arrived on connections that are not started yet, in all and on each. */
  let heldBytes = 0;
  const held = new Map<Socket, number>();
  let accepted = 0;

  function startWhenReadable(socket: Socket, start: () => void): void {
    accepted += 1;
    const order = accepted;
    function startOnce(): void {
      const bytes = held.get(socket);
      if (bytes === undefined) return;
      heldBytes -= bytes;
      held.delete(socket);
      socket.off('readable', onReadable);
      // To its listeners one that is closed by now would never be closed.
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
      if (heldBytes > limits.firstBytes) startOnce();
      else if (before === undefined) reading.begin({ order, start: startOnce });
    }
    socket.on('error', ignoreError);
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
