import type { FastifyInstance } from 'fastify';

/** How long requests in flight may take before their connections are cut, in milliseconds. */
const GRACE_MS = 10_000;

/** How often connections that became idle are closed while the server stops: Node does it only once. */
const SWEEP_MS = 20;

/** Stops accepting, lets requests in flight finish, and resolves when the last connection is closed. */
export async function stopServer(app: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
