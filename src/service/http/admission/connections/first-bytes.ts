import type { Socket } from 'node:net';
import type { Limits } from '../limits.ts';
import type { Reading } from '../reading.ts';

/** As monitoring and load balancers send it. */
const healthCheck = /^(GET|HEAD) \/(healthz|readyz) /;
/** One request with many fields, or a few. */
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
  reading: Pick<Reading, 'begin'>,
): FirstBytes {
  /** What has arrived on connections that are not started yet, in all and on each. */
  let heldBytes = 0;
  const held = new Map<Socket, number>();
  let accepted = 0;

  function startWhenReadable(socket: Socket, start: () => void): void {
    accepted += 1;
    const order = accepted;
    let isHealth: boolean | undefined;
    /** Its listeners would never hear that it was closed. */
    function isGone(): boolean {
      return socket.destroyed || !held.has(socket);
    }
    function isHealthCheck(): boolean {
      isHealth ??= healthCheck.test(peek(socket));
      return isHealth && socket.readableLength <= HEALTH_CHECK_BYTES;
    }
    function release(): void {
      heldBytes -= held.get(socket) ?? 0;
      held.delete(socket);
    }
    function startNow(): void {
      release();
      socket.off('readable', onReadable);
      start();
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
      else if (before === undefined)
        reading.begin({ order, isGone, isHealthCheck, start: startNow });
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
  const bytes: Buffer = socket.read();
  socket.unshift(bytes);
  return bytes.toString('latin1', 0, 20);
}
