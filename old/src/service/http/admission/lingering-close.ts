import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Limits } from './limits.ts';

const CHECK_MS = 5;

/** Closes connections so that their clients can still read the last response. */
export interface LingeringClose {
  /**
   * Ends the service's side, then discards what still arrives for a while: closing a connection with bytes that were not
   * read resets it, and the reset may overtake the response (RFC 9112, section 9.6).
   */
  close(socket: Socket): void;
  /**
   * Notes that the connection will be closed after its response. What still arrives is not processed: nobody would get its
   * response (RFC 9112, section 9.6).
   */
  markClosing(socket: Socket): void;
  /** Whether a connection is being closed, or will be after its response. */
  isClosing(socket: Socket): boolean;
}

export function createLingeringClose(
  limits: Pick<Limits, 'lingerTime' | 'lingerBytes'>,
): LingeringClose {
  const closing = new Map<Socket, { readonly until: number; readonly upTo: number }>();
  const marked = new WeakSet<Socket>();
  let checks: NodeJS.Timeout | undefined;

  function check(): void {
    const now = performance.now();
    for (const [socket, { until, upTo }] of closing)
      if (now >= until || socket.bytesRead >= upTo) socket.destroy();
  }

  function forget(socket: Socket): void {
    closing.delete(socket);
    if (closing.size > 0) return;
    clearInterval(checks);
    checks = undefined;
  }

  return {
    close(socket) {
      if (socket.destroyed || closing.has(socket)) return;
      const until = performance.now() + limits.lingerTime;
      closing.set(socket, { until, upTo: socket.bytesRead + limits.lingerBytes });
      socket.once('close', () => forget(socket));
      checks ??= setInterval(check, CHECK_MS);
      socket.end();
      socket.resume();
    },
    markClosing: (socket) => void marked.add(socket),
    isClosing: (socket) => marked.has(socket) || closing.has(socket),
  };
}
