import type { Target } from './attack.ts';
import { formatRequest, openSocket } from './sockets.ts';

/** New connections on which a service has responded before it is attacked. */
export const WARM_UP_CONNECTIONS = 10_000;
const CLIENTS = 8;

/**
 * Has a service that has just started respond to reads on new connections: until V8 has compiled what runs often, a
 * connection takes about twice the time, and the threads that compile take the processors from the one that responds.
 */
export async function warmUp(target: Target): Promise<void> {
  const { key } = target;
  const requests = ['/healthz', '/v1/pets', '/v1/pets/1'].map((path) =>
    formatRequest({ path, key, headers: { Connection: 'close' } }),
  );
  let left = WARM_UP_CONNECTIONS;
  async function ask(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const response = await send(target, requests[left % requests.length] ?? '');
      if (!response.startsWith('HTTP/1.1 200 ')) throw new Error(`not warmed up: ${response}`);
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, ask));
}

/** Sends a request on a connection of its own and resolves with all that comes back. */
async function send(target: Target, request: string): Promise<string> {
  const socket = await openSocket(target);
  if (socket.destroyed) return '';
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  let response = '';
  socket
    .setEncoding('latin1')
    .on('data', (chunk: string) => {
      response += chunk;
    })
    .once('end', () => socket.destroy())
    .write(request);
  await closed;
  return response;
}
