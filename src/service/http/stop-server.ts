import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';

/** How long requests in flight may take before their connections are destroyed, in milliseconds. */
const GRACE_MS = 10_000;

/** How often connections that became idle are closed while the server stops: Node does it only once. */
const SWEEP_MS = 20;

/** Returns a function that stops a server: it accepts nothing more, lets requests in flight finish and resolves when all connections are closed. */
export function prepareStop(server: Server): () => Promise<void> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });

  function closeIdle(): void {
    server.closeIdleConnections();
    // Node counts connections as busy on which nothing ever arrived, such as browsers open in advance.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  }

  return async () => {
    if (!server.listening) return;
    const sweep = setInterval(closeIdle, SWEEP_MS);
    const deadline = setTimeout(() => {
      for (const socket of open) socket.destroy();
    }, GRACE_MS);
    try {
      await promisify(server.close.bind(server))();
    } finally {
      clearInterval(sweep);
      clearTimeout(deadline);
    }
  };
}
