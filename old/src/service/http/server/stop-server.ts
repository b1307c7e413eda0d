import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as afterPolling, setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Admission } from '../admission/admission.ts';

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
  {
    connections,
    limits,
    reading,
    unanswered,
  }: Pick<Admission, 'connections' | 'limits' | 'reading' | 'unanswered'>,
  stopping: AbortController,
): Promise<void> {
  stopping.abort();
  const listening = servers.filter((server) => server.listening);
  const deadline = setTimeout(connections.closeAll, GRACE_MS);
  if (listening.length > 0) await pause(limits.drainTime);
  // What has arrived by now is read first, so that its connections are not idle.
  await afterPolling();
  const closed = Promise.all(listening.map(stopListening));
  const sweep = setInterval(async () => {
    await afterPolling();
    // What has arrived on connections that wait to be read, nobody knows yet.
    if (reading.isBehind()) return;
    // To Node a connection is idle once its response is written, though not sent yet: idle ones wait for it with the others.
    if (!unanswered.hasUnread()) for (const server of listening) server.closeIdleConnections();
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

/**
 * Accepts nothing more, and resolves when every connection is closed. The close of node:http would destroy some of them at
 * once, so it comes last: it ends the timer that looks at them.
 */
async function stopListening(server: Server): Promise<void> {
  await promisify(NetServer.prototype.close.bind(server))();
  server.close(() => {});
}
