import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';

/** How long requests in flight may take before their connections are cut, in milliseconds. */
const GRACE_MS = 10_000;

/** How often connections that became idle are closed while the server stops: Node does it only once. */
const SWEEP_MS = 20;

/**
 * Gives what closes the connections on which nothing ever arrived. Node counts them as busy,
 * so that stopping would wait for clients that opened one in advance, as browsers do.
 */
export function trackUnusedConnections(server: Server): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}

/** Stops accepting, lets requests in flight finish, and resolves when the last connection is closed. */
export async function stopServer(server: Server, closeUnused: () => void): Promise<void> {
  if (!server.listening) return;
  const sweep = setInterval(() => {
    closeUnused();
    server.closeIdleConnections();
  }, SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  try {
    await promisify(server.close.bind(server))();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
