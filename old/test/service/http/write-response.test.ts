import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createResponse } from '../../../src/service/http/response.ts';
import { writeResponse } from '../../../src/service/http/write-response.ts';

const MIB = 1024 * 1024;

/** A server that sends one large body, its response once it was written, and a client that does not read yet. */
async function request(method: string, body: Buffer) {
  const turns = { count: 0 };
  const waitForTurn = (work: () => void) => {
    turns.count += 1;
    work();
  };
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  const socket: Socket = connect(port, '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  socket.write(`${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const [, response]: [unknown, ServerResponse] = await new Promise((resolve) =>
    server.once('request', (...parts) => resolve(parts)),
  );
  const further = { route: ['A', 'b'], key: undefined };
  writeResponse(response, createResponse(200, 'text/plain', body), further, 'r-1', waitForTurn);
  return { response, turns, read: async () => (await buffer(socket)).toString('latin1') };
}

it('a large body waits in the process in pieces, until its client reads', async () => {
  const body = Buffer.alloc(16 * MIB, 'x');
  const { response, turns, read } = await request('GET', body);
  expect(response.writableLength).toBeLessThan(MIB);
  const text = await read();
  expect(text.endsWith(`\r\n\r\n${body.toString('latin1')}`)).toBe(true);
  // Others had their turn meanwhile.
  expect(turns.count).toBeGreaterThan(1);
});

it('to HEAD it is not sent at all', async () => {
  const { turns, read } = await request('HEAD', Buffer.alloc(16 * MIB, 'x'));
  const text = await read();
  expect(text).toContain(`Content-Length: ${16 * MIB}\r\nA: b\r\nX-Request-Id: r-1\r\n`);
  expect(text).toMatch(/\r\n\r\n$/);
  expect(turns.count).toBe(0);
});
