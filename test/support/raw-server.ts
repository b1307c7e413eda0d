import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { portOf } from './http-server.ts';

export interface RawServer {
  readonly port: number;
  /** How many connections were made. */
  readonly connections: () => number;
  /** What each connection sent, as far as it was read. */
  readonly received: readonly string[];
}

/**
 * A server that speaks whatever a test wants, gone when the test is over.
 * @param onRequest called once per connection, when the first bytes have arrived.
 */
export async function startRawServer(onRequest: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const received: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    // A client that goes away in the middle is part of the tests.
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      received.push(bytes.toString('latin1'));
      onRequest(socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), 'close');
  });
  return { port: portOf(server), connections: () => connections, received };
}
