import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of 127.0.0.1 for a program that cannot choose one itself. */
export async function findFreePort(): Promise<number> {
  return await bindOnce(0);
}

/**
 * A port for a server that stops and starts again: below those that systems give to outgoing connections, one of which
 * would take it meanwhile.
 */
export async function findLastingPort(): Promise<number> {
  for (;;) {
    const port = await bindOnce(randomInt(15_000, 32_000)).catch(() => undefined);
    if (port !== undefined) return port;
  }
}

async function bindOnce(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
