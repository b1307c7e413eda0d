import { once } from 'node:events';
import { connect, createServer, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createAdmission } from '../../../../../src/service/http/admission/admission.ts';
import { createFirstBytes } from '../../../../../src/service/http/admission/connections/first-bytes.ts';
import { defaultLimits } from '../../../../../src/service/http/admission/limits.ts';
import type { NewConnection } from '../../../../../src/service/http/admission/reading-queue.ts';
import { createRefusals } from '../../../../../src/service/http/admission/refusals.ts';
import { createLog } from '../../../../../src/service/monitoring/log.ts';
import { addRequest, healthRequest, openConnection } from '../../../../support/open-connection.ts';
import { startService } from '../../../../support/service.ts';

/** A server that notes what it is given, a client of it, and the bounds of both. */
async function open() {
  const refusals = createRefusals(createLog(() => {}, 'silent'));
  const admission = createAdmission({ behindProxy: false }, refusals);
  const texts: string[] = [];
  const server = createServer((socket) => socket.on('data', (data) => texts.push(`${data}`)));
  admission.connections.watch(server);
  onTestFinished(admission.connections.close);
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const client = connect(Object(server.address()).port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  const [socket]: Socket[] = await accepted;
  return { admission, client, socket, texts };
}

it('a connection is handed to its server, with what arrived, once something has', async () => {
  const { admission, client, socket, texts } = await open();
  expect(admission.connections.size).toBe(1);
  expect(socket?.listenerCount('data')).toBe(0);
  client.write('first');
  await expect.poll(() => texts).toEqual(['first']);
  client.write('second');
  await expect.poll(() => texts).toEqual(['first', 'second']);
});

it('a connection that its client ends without a byte is closed, and never handed over', async () => {
  const { admission, client, socket } = await open();
  client.end();
  await expect.poll(() => admission.connections.size).toBe(0);
  expect([socket?.destroyed, socket?.listenerCount('data')]).toEqual([true, 0]);
});

it('a connection that is reset before anything has arrived on it does no harm', async () => {
  const { admission, client, socket } = await open();
  // Without one, its error would end the service.
  expect(socket?.listenerCount('error')).toBe(1);
  client.resetAndDestroy();
  await expect.poll(() => admission.connections.size).toBe(0);
});

it('a connection that is closed before its turn is never handed over', async () => {
  const { admission, client, socket, texts } = await open();
  admission.reading.follow(new Socket());
  for (let read = 0; read < defaultLimits.requestsPerTurn; read += 1)
    admission.reading.count(false);
  client.write('first');
  await once(socket ?? client, 'readable');
  socket?.destroy();
  await expect.poll(() => admission.reading.isBehind()).toBe(false);
  expect([socket?.listenerCount('data'), texts]).toEqual([0, []]);
});

/** A server whose new connections wait, as they came, and a client that opens them. */
async function openWaiting(firstBytes = defaultLimits.firstBytes) {
  const texts: string[] = [];
  const sockets: Socket[] = [];
  const waiting: NewConnection[] = [];
  const { startWhenReadable } = createFirstBytes(
    { firstBytes },
    { begin: (connection) => waiting.push(connection), forget: () => {} },
  );
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    startWhenReadable(socket, () => socket.on('data', (data) => texts.push(`${data}`)));
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const openClient = () => {
    const client = connect(Object(server.address()).port, '127.0.0.1');
    onTestFinished(() => void client.destroy());
    return client;
  };
  return { openClient, sockets, texts, waiting };
}

it.each([
  ...['/healthz', '/readyz'].flatMap((path) => [
    [`GET ${path}`, 100, true] as const,
    [`HEAD ${path}`, 100, true] as const,
    [`GET ${path}`, 1_024, true] as const,
    [`GET ${path}`, 1_025, false] as const,
    [`POST ${path}`, 100, false] as const,
    [`GET ${path}x`, 100, false] as const,
  ]),
  ['GET /v1/pets', 100, false] as const,
  ['GET /healthz', 8, false] as const,
])('%s in %i bytes is taken for a health check: %j', async (start, bytes, expected) => {
  const { openClient, texts, waiting } = await openWaiting();
  const text = `${start} HTTP/1.1\r\nHost: a\r\n\r\n`.padEnd(bytes).slice(0, bytes);
  openClient().write(text);
  await expect.poll(() => waiting.map(({ isHealthCheck }) => isHealthCheck())).toEqual([expected]);
  // It is read all the same.
  for (const one of waiting) one.start();
  await expect.poll(() => texts.join('')).toBe(text);
});

it('a health check after which much more arrives is none', async () => {
  const { openClient, waiting } = await openWaiting();
  const client = openClient();
  client.write(healthRequest);
  await expect.poll(() => waiting.map(({ isHealthCheck }) => isHealthCheck())).toEqual([true]);
  client.write(healthRequest.repeat(100));
  await expect.poll(() => waiting.map(({ isHealthCheck }) => isHealthCheck())).toEqual([false]);
});

it('a health check whose client sends no more is read in its turn', async () => {
  const { openClient, sockets, texts, waiting } = await openWaiting();
  const client = openClient();
  client.end(healthRequest);
  await once(client, 'finish');
  await expect.poll(() => waiting).toHaveLength(1);
  // The end is noticed before the first bytes are looked at.
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(waiting.map(({ isHealthCheck }) => isHealthCheck())).toEqual([true]);
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect([texts, sockets[0]?.destroyed]).toEqual([[], false]);
  for (const { start } of waiting) start();
  await expect.poll(() => texts).toEqual([healthRequest]);
});

it('no more is held of what waits when it is asked what it is', async () => {
  const limit = 100_000;
  const { openClient, sockets, waiting } = await openWaiting(limit);
  const clients = Array.from({ length: 4 }, openClient);
  for (const client of clients) client.write(Buffer.alloc(20_000));
  await expect.poll(() => waiting).toHaveLength(4);
  for (const { isHealthCheck } of waiting) expect(isHealthCheck()).toBe(false);
  for (const client of clients) client.write(Buffer.alloc(200_000));
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  const heldBytes = sockets
    .filter((socket) => socket.listenerCount('data') === 0)
    .reduce((sum, { readableLength }) => sum + readableLength, 0);
  expect(heldBytes).toBeLessThanOrEqual(limit);
});

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'what arrives %i turns after the first bytes does not overtake them in a crowd',
  async (turns) => {
    const limits = { requestsPerTurn: 40, pipelinedWeight: 1, deferredPerTurn: 8 };
    const service = await startService({ overrides: { limits } });
    onTestFinished(service.close);
    const body = '{"name":"Rex","categoryId":7}';
    const head = addRequest(service.key, `Content-Length: ${body.length}`, '');
    const openMany = (count: number) =>
      Promise.all(Array.from({ length: count }, () => openConnection(service)));
    const floods = await openMany(10);
    const adds = await openMany(30);
    for (const [index, { socket }] of adds.entries()) {
      socket.write(head);
      if (index % 3 === 0) floods[index / 3]?.socket.write(healthRequest.repeat(60));
    }
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    for (const { socket } of adds) socket.write(body);
    for (const { statuses } of adds) await expect.poll(statuses).toEqual(['201']);
  },
);
