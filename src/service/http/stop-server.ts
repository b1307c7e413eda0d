import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as afterPolling, setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Admission } from './admission/admission.ts';

/** How long after the stop was asked for requests in flight may take before their connections are destroyed, in milliseconds. */
const GRACE_MS = 9_000;

/** How often connections that became idle are closed while the servers stop: Node does it only once. */
const SWEEP_MS = 20;

/**
 * Drains servers: for a while they go on accepting, with every response asking its client to close the connection and
 * `/readyz` sending others elsewhere. Then they accept nothing more and requests in flight finish. Resolves when all
 * connections are closed.
 */
export async function stopServers(
  servers: readonly Server[],
  { connections, limits, unanswered }: Pick<Admission, 'connections' | 'limits' | 'unanswered'>,
  stopping: AbortController,
): Promise<void> {
  stopping.abort();
  const listening = servers.filter((server) => server.listening);
  const deadline = setTimeout(connections.closeAll, GRACE_MS);
  if (listening.length > 0) await pause(limits.drainTime);
  // What has arrived by now is read first, so that its connections are not idle.
  await afterPolling();
  const closed = spare(unanswered.listSockets(), () =>
    Promise.all(listening.map((server) => promisify(server.close.bind(server))())),
  );
  const sweep = setInterval(async () => {
    await afterPolling();
    spare(unanswered.listSockets(), () => {
      for (const server of listening) server.closeIdleConnections();
    });
    // Node counts connections as busy on which nothing ever arrived, such as browsers open in advance.
    connections.closeSilent(limits.drainTime);
  }, SWEEP_MS);
  try {
    await closed;
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
    connections.close();
  }
}

/** Has Node close what is idle but for these: to it a response is over when it is written, though not sent yet. */
function spare<T>(sockets: readonly Socket[], closeIdle: () => T): T {
  for (const socket of sockets) socket.destroy = () => socket;
  const result = closeIdle();
  for (const socket of sockets) Reflect.deleteProperty(socket, 'destroy');
  return result;
}
