import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawRequest {
  method: string;
  /** With the query. */
  path: string;
  /** The whole head, for servers that repeat what they were sent. */
  head: string;
  /** From 1. */
  count: number;
}

export type RawBehavior = (socket: Socket, request: RawRequest) => void;

/** A server that writes bytes as it likes, for what an HTTP server refuses to send. Gone when the test is over. */
export async function startRawServer(respond: RawBehavior): Promise<string> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let end = findEnd(received); end !== -1; end = findEnd(received)) {
        const head = received.slice(0, received.indexOf('\r\n\r\n'));
        received = received.slice(end);
        const [method = '', path = ''] = head.split(' ');
        count += 1;
        respond(socket, { method, path, head, count });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}/v1`;
}

/** Where the first request ends, its body included; -1 while it has not arrived completely. */
function findEnd(received: string): number {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return -1;
  const length = Number(/^content-length: (\d+)$/im.exec(received.slice(0, headEnd))?.[1] ?? 0);
  const end = headEnd + 4 + length;
  return received.length >= end ? end : -1;
}
